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
  const [, head = ""] =
    /<head\b[^>]*>(.*?)(?:<\/head|<body\b)/is.exec(html.replace(/<!--.*?-->/gs, "")) ?? [];
  return [...head.matchAll(new RegExp(`<${name}\\b([^<>]*)>`, "gi"))].map(
    ([, attributes = ""]) =>
      new Map(
        [...attributes.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
          ([, key = "", one, other = ""]) =>
            [key.toLowerCase(), (one ?? other).replaceAll("&amp;", "&")] as const,
        ),
      ),
  );
}
