import { expect, test } from "vitest";
import { standardClaims } from "#vocabulary/social/provider";
import { socialProviders } from "#vocabulary/social/providers";
import { testService } from "../../support/service.ts";
import { type Heard, player } from "../../support/social/player.ts";
import { accountsAt, declaredFor, emailAt, pkceOf, signInAtRow } from "../../support/social/row-provider.ts";
import { baseUrl, socialSettings } from "../../support/social/sign-in.ts";

const names = [...socialProviders.keys()].filter((name) => name !== "saml").sort();
const provider = await player();
const declared = Object.fromEntries(names.map((name) => [name, declaredFor(name)]));
const service = await testService(
  { baseUrl, social: socialSettings(declared, { appleWebCallbackUrl: "https://app.example.com/in" }) },
  { resolveProvider: provider.resolve },
);

/** What a request has by the book. The snapshot shows what is different, `-` is in front of what is missing. */
// biome-ignore format: many a line
const authorization = [
  "response_type=code", "client_id=ID", "redirect_uri=CALLBACK", "state=STATE", "code_challenge=S256",
];
// biome-ignore format: a list of values
const exchange = [
  "grant_type=authorization_code", "code=code", "redirect_uri=CALLBACK", "code_verifier=S256",
];
const select = "http://specs.openid.net/auth/2.0/identifier_select";
// biome-ignore format: a list of values
const types = [
  "email=contact/email", "fullname=namePerson", "first_name=namePerson/first", "last_name=namePerson/last",
];
const openid = [
  ...[`openid.claimed_id=${select}`, `openid.identity=${select}`, "openid.return_to=CALLBACK?state=STATE"],
  ...types.map((type) => `openid.ax.type.${type.replace("=", "=ax:")}`),
];
/** `OpenId2Server` and `OAuth1Server` check these. */
const constant =
  /^(oauth_(nonce|timestamp|signature)|openid\.(ns|mode|realm|sreg\.optional|ax\.(mode|required)))/;
const usualHeaders =
  /^(accept-(encoding|language)|connection|content-length|host|sec-fetch-mode|user-agent)$/;

function difference(sent: Iterable<readonly [string, string]>, usual: readonly string[]): string {
  const pairs = [...sent].map(([name, value]) => `${name}=${value}`);
  return [
    ...pairs.filter((pair) => !usual.includes(pair)),
    ...usual.filter((pair) => !pairs.includes(pair)).map((pair) => `-${pair.split("=")[0]}`),
  ].join("&");
}

/** Replaces values that differ in each sign-in, and names those of the app. */
function namesFor(name: string, location: URL) {
  const challenge = location.searchParams.get("code_challenge");
  return ([key, value]: readonly [string, string]): (readonly [string, string])[] => {
    if (key === "code_challenge") return [[key, challenge?.length === 64 ? "hex" : "S256"]];
    if (key === "code_verifier") return [[key, pkceOf(value, challenge) ?? "WRONG"]];
    if (key === "code_challenge_method" || constant.test(key)) return [];
    if (/^(state|nonce|sso)$/.test(key) || (key === "sig" && name === "discourse"))
      return [[key, key.toUpperCase()]];
    if (key === "client_secret" && value.startsWith("ey")) return [[key, "JWT"]];
    const text = value
      .replaceAll(`${baseUrl}/auth/${name}/callback`, "CALLBACK")
      .replaceAll(/(state=)[\w.-]+/g, "$1STATE")
      .replaceAll(`id-of-${name}`, "ID")
      .replaceAll(`secret-of-${name}`, "SECRET")
      .replaceAll("101.token", "TOKEN")
      .replaceAll("http://axschema.org/", "ax:");
    return [[key, text]];
  };
}

function requestLine(heard: Heard, named: ReturnType<typeof namesFor>, isExchange: boolean): string {
  const { method, url, headers, body, form } = heard;
  const type = String(headers["content-type"] ?? "");
  const fields = type.startsWith("application/json") ? Object.entries<string>(JSON.parse(body)) : [...form];
  const query = [...url.searchParams].flatMap(named);
  const inQuery = isExchange && method === "GET";
  const basic = (value: string) => Buffer.from(value.slice(6), "base64").toString();
  const headerTexts = Object.entries(headers).flatMap(([key, value]) => {
    const text = String(value);
    if (usualHeaders.test(key) || text === "application/json" || text === "application/x-www-form-urlencoded")
      return [];
    if (text.startsWith("Basic ")) return [`Basic ${named(["", basic(text)])[0]?.[1]}`];
    if (text.startsWith("OAuth "))
      return [
        `OAuth ${[...text.matchAll(/oauth_(\w+)=/g)].map(([, one]) => one).filter((one) => !/nonce|timestamp|signature|version|consumer/.test(one ?? ""))}`,
      ];
    return named([key, text]).map(([, shown]) => (key === "authorization" ? shown : `${key}: ${shown}`));
  });
  const sent = isExchange
    ? difference(inQuery ? query : fields.flatMap(named), [
        ...exchange,
        "client_id=ID",
        "client_secret=SECRET",
      ])
    : difference(fields.flatMap(named), []);
  const shownQuery = inQuery ? sent : difference(query, []);
  const asJson = type.startsWith("application/json") ? "json " : "";
  const shownBody = inQuery || sent === "" ? "" : ` {${asJson}${sent}}`;
  return `${method} ${url.origin}${url.pathname}${shownQuery === "" ? "" : `?${shownQuery}`}${shownBody}${headerTexts.map((text) => ` [${text}]`).join("")}`;
}

/** Members of a row that the requests of its line show, and the title, which docs/social.md has. */
const shown = new Set(
  "title protocol user authorize scopes token profile details emails request url parameters".split(" "),
);

/** One line: where the browser goes, what the service asks, the account that comes of it. */
async function lineOf(name: string): Promise<string> {
  const row = socialProviders.get(name);
  const { location, reply, back } = await signInAtRow(service, provider, name);
  const first = provider.heard.length;
  const named = namesFor(name, location);
  const byTheBook = row?.protocol === "oauth2" || row?.protocol === "oidc";
  const query = difference(
    [...location.searchParams].flatMap(named),
    byTheBook ? authorization : row?.protocol === "openid2" ? openid : [],
  );
  const login =
    reply.status === 302
      ? `${location.origin}${location.pathname}?${query}${location.hash}`
      : `${reply.status}`;
  const answer = row?.protocol === "openid2" || row?.protocol === "custom" ? null : await back();
  const [token] = provider.heard.slice(first);
  const requests = provider.heard
    .map((heard) => requestLine(heard, named, byTheBook && heard === token))
    .filter((one) => !one.includes("/keys") && !one.includes("/.well-known"));
  const [account = {}] = await accountsAt(service, name);
  const outcome =
    answer === null
      ? []
      : [`${answer.status} ${Object.values(account).join(" ").replace(emailAt(name), "email")}`.trim()];
  const isStandard = JSON.stringify(row?.user) === JSON.stringify(standardClaims);
  const user = isStandard
    ? ["claims"]
    : Object.entries(row?.user ?? {}).map(
        ([part, path]) => `${part}=${typeof path === "string" ? path : JSON.stringify(path)}`,
      );
  const rest = Object.fromEntries(Object.entries(row ?? {}).filter(([key]) => !shown.has(key)));
  const more = JSON.stringify(rest).replaceAll(/["{}]/g, "");
  const parts = [
    `${name}: ${login}`,
    ...requests,
    ...outcome,
    user.join(" "),
    ...(more === "" ? [] : [more]),
  ];
  // That every address is encrypted is checked in test/vocabulary/social/social-providers.test.ts.
  return parts.join(" | ").replaceAll("https://", "");
}

test("what is sent to each provider is what it was sent before", async () => {
  const lines: string[] = [];
  for (const name of names) lines.push(await lineOf(name));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("sent.txt");
});
