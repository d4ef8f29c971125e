import type { OpenIdService } from "./xrds.ts";

/** What the head of a page says of where to sign in (OpenID 2.0, 7.3.3). */
export function serviceInPage(html: string): OpenIdService | null {
  const links = tagsIn(html, "link");
  const find = (relation: string) =>
    links
      .find((link) => (link.get("rel") ?? "").toLowerCase().split(/\s+/).includes(relation))
      ?.get("href") ?? null;
  const endpoint = find("openid2.provider");
  return endpoint === null ? null : { endpoint, isServer: false, localId: find("openid2.local_id") };
}

/** Where a page says that its XRDS document is. */
export function xrdsLocationIn(html: string): string | null {
  const meta = tagsIn(html, "meta").find((one) => one.get("http-equiv")?.toLowerCase() === "x-xrds-location");
  return meta?.get("content") ?? null;
}

/** The tags of a name in the head, by their attributes. What a page shows to people stands in its body, and counts for nothing. */
function tagsIn(html: string, name: string): ReadonlyMap<string, string>[] {
  return headOf(html).flatMap((tag) => {
    const end = tag.indexOf(">");
    return end !== -1 && nameOf(tag) === name ? [attributesIn(tag.slice(0, end))] : [];
  });
}

/** How much of a page is looked at, in characters: a head that is longer has no end, and counts for nothing. */
const longestLook = 65_536;

/** What follows each `<` of the head. A stranger wrote the page: nothing here takes longer than one walk through it. */
function headOf(html: string): readonly string[] {
  const tags = withoutComments(html.slice(0, longestLook)).split("<").slice(1);
  const names = tags.map(nameOf);
  const begin = names.indexOf("head");
  const end = names.findIndex((name) => name === "/head" || name === "body");
  return begin === -1 || end < begin ? [] : tags.slice(begin + 1, end);
}

/** What begins as a comment and does not end is one. */
function withoutComments(html: string): string {
  const parts: string[] = [];
  for (let at = 0; at !== -1; ) {
    const begin = html.indexOf("<!--", at);
    parts.push(html.slice(at, begin === -1 ? undefined : begin));
    const end = begin === -1 ? -1 : html.indexOf("-->", begin + "<!--".length);
    at = end === -1 ? -1 : end + "-->".length;
  }
  return parts.join("");
}

function nameOf(tag: string): string {
  return /^\/?[a-z]{1,16}\b/i.exec(tag)?.[0].toLowerCase() ?? "";
}

function attributesIn(tag: string): ReadonlyMap<string, string> {
  const pattern = /(?<![\w-])([\w-]{1,40})\s{0,16}=\s{0,16}(?:"([^"]{0,2048})"|'([^']{0,2048})')/g;
  return new Map(
    [...tag.matchAll(pattern)].map(
      ([, key = "", one, other = ""]) =>
        [key.toLowerCase(), (one ?? other).replaceAll("&amp;", "&")] as const,
    ),
  );
}
