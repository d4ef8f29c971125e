import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { expect } from "vitest";
import type { SocialProvider } from "#vocabulary/social/provider";
import { secretsRequired, settingsRequired } from "#vocabulary/social/provider-settings";
import { providerRow } from "#vocabulary/social/providers";
import type { TestService } from "../service.ts";
import { signingKey } from "./issuer.ts";
import type { Heard, Player, Says } from "./player.ts";
import { baseUrl, begin, comeBack } from "./sign-in.ts";

export const shop = "acme.myshopify.com";
/** Providers whose access token says who signed in sign it with this key. */
export const realmKey = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = realmKey.publicKey.export({ type: "spki", format: "pem" }).toString();
const issuerKey = await signingKey();
const appleKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** A value of each setting that some row requires. */
const values: Readonly<Record<string, unknown>> = {
  access_token_url: "https://realm.example.net/token",
  allowed_hosts: ["id.example.net"],
  api_url: "https://git.example.net/api/v3",
  app_id: "77",
  authorization_url: "https://realm.example.net/auth",
  base_url: "https://login.example.net",
  callback: `${baseUrl}/auth/mediawiki/callback`,
  domain: "people.example.com",
  id: "4711",
  mediawiki_url: "https://wiki.example.org/w/index.php",
  name: "acme",
  oidc_endpoint: "https://op.example.com/realm",
  origin: "https://app.example.com",
  policy: "b2c_1_in",
  pool_domain: "https://pool.example.net",
  public_key: pem.replace(/-----[^-]+-----|\s+/g, ""),
  public_name: "PUBLIC",
  server_url: "https://forum.example.org",
  slug: "acme",
  tenant_id: "11111111-2222-3333-4444-555555555555",
  tenant_name: "contoso",
  url: "https://git.example.net",
};

function rowOf(name: string): SocialProvider {
  const row = providerRow(name);
  if (row === undefined) throw new Error(`no provider has the name ${name}`);
  return row;
}

/** The settings and secrets without which a provider does not start. */
export function declaredFor(name: string) {
  const row = rowOf(name);
  const required = settingsRequired(row);
  const settings = required.filter((setting) => setting !== "client_id");
  const secretOf = (secret: string) =>
    row.protocol === "oidc" && row.signedSecret === true
      ? appleKey.export({ type: "pkcs8", format: "pem" }).toString()
      : `${secret}-of-${name}`;
  return {
    settings: {
      ...(!required.includes("client_id") && { client_id: undefined }),
      ...Object.fromEntries(settings.map((setting) => [setting, values[setting] ?? setting.toUpperCase()])),
    },
    secrets: Object.fromEntries(
      secretsRequired(row).map(([secret = ""]) => {
        const variable = secret === "client_secret" ? "secret" : secret;
        return [variable.toUpperCase(), secretOf(variable)];
      }),
    ),
  };
}

/** What a test changes of a sign-in. */
export interface Change {
  /** Answers that replace those of the provider. */
  readonly play?: () => void;
  /** What the browser brings in addition to the provider's parameters, or instead of them. */
  readonly brings?: Readonly<Record<string, string>>;
  /** Members of every answer that differ; undefined removes one. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

/** A person: each part of the row's `user` leads to its own text. */
const person = { uid: "101", firstName: "Ann", lastName: "Lee", fullName: "Zoë Cruz" };
export const emailAt = (name: string) => `${name.toLowerCase()}@example.com`;

/** Signs in at a provider that answers every call with one document, which the row's own paths lead through. */
export async function signInAtRow(service: TestService, player: Player, name: string, change: Change = {}) {
  const row = rowOf(name);
  const { play, brings, answer = {} } = change;
  const document = { ...JSON.parse(documentFor(row, name).toJson()), ...answer };
  let nonce: string | null = null;
  player.heard.length = 0;
  player.play("*", (heard) => says(row, name, heard, document, nonce));
  play?.();
  const query = { shop: `?shop=${shop}`, openid_lj_user: "?openid_lj_user=ann", idp: "", domain_prefix: "" };
  const queries = { ...query, openid_identifier: "?openid_identifier=https://id.example.net/ann" };
  const begun = await begin(
    service,
    name,
    row.loginParameter === undefined ? "" : queries[row.loginParameter],
  );
  const { location, cookie, reply } = begun;
  nonce = location.searchParams.get("nonce");
  const [, callback = ""] =
    /oauth_callback="([^"]+)"/.exec(player.heard[0]?.headers.authorization ?? "") ?? [];
  const state = begun.state || (/state=([^&]+)/.exec(decodeURIComponent(callback))?.[1] ?? "");
  const brought = { ...bringsBack(row, name, state, location), ...brings };
  return { location, reply, brought, cookie, back: () => comeBack(service, name, brought, cookie) };
}

function bringsBack(row: SocialProvider, name: string, state: string, location: URL): Record<string, string> {
  if (row.protocol === "oauth1") return { state, oauth_token: "request-token", oauth_verifier: "verifier" };
  if (row.callbackParameter === "domain_prefix") return { code: "code", state, domain_prefix: "acme-shop" };
  if (row.protocol !== "oauth2" || row.signedCallback !== true) return { code: "code", state };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = { code: "code", shop: location.host, state, timestamp };
  const text = Object.entries(signed).map(([key, value]) => `${key}=${value}`);
  return { ...signed, hmac: createHmac("sha256", `secret-of-${name}`).update(text.join("&")).digest("hex") };
}

/** The document that the paths of a row lead through; of several ways the first is there. */
function documentFor(row: SocialProvider, name: string): DocumentWith {
  const document = new DocumentWith();
  const place = (path: string | undefined, value: Placed) => {
    for (const part of path?.startsWith("=")
      ? [...path.matchAll(/\{([^}]+)\}/g)].map(([, one]) => one)
      : [path])
      document.place((part?.split("|")[0] ?? "").replace(/^[a-z_]+:/, "").replace(/^\[/, "list["), value);
  };
  const { user } = row;
  const flags = { flag: true, number: { digits: "1" }, moment: "2019-03-04T05:06:07Z" } as const;
  const success = row.protocol === "oauth2" ? row.success : {};
  for (const [path, text] of Object.entries({ ...success, ...user.emailVerifiedIf })) place(path, text);
  for (const [part, text] of Object.entries({ ...person, email: emailAt(name) }))
    if (part === "uid" || part in user) place(Object.entries(user).find(([key]) => key === part)?.[1], text);
  if (user.emailVerified !== undefined) place(user.emailVerified, flags[user.emailVerifiedBy ?? "flag"]);
  const token = {
    access_token: "101.token",
    oauth_token: "request-token",
    oauth_token_secret: "token-secret",
  };
  if (row.protocol === "oauth2" && row.token.accessToken !== undefined)
    place(row.token.accessToken, "101.token");
  // No row may believe a flag that its provider does not document.
  document.add({ ...token, email_verified: true, verified_email: true, is_verified: true });
  const used = "login username open_id openid uid id user_id access_url".split(" ");
  const access_url = "https://api.eu.surveymonkey.com";
  document.add({ ...Object.fromEntries(used.map((one) => [one, `${one}-1`])), access_url });
  return document;
}

async function says(
  row: SocialProvider,
  name: string,
  { url, headers }: Heard,
  document: Readonly<Record<string, unknown>>,
  nonce: string | null,
): Promise<Says> {
  if (row.protocol === "openid2")
    return {
      headers: { "content-type": "application/xrds+xml" },
      text: `<XRDS xmlns="xri://$xrd*($v*2.0)"><XRD><Service><Type>http://specs.openid.net/auth/2.0/${row.loginParameter === undefined ? "server" : "signon"}</Type><URI>${url.origin}/openid</URI></Service></XRD></XRDS>`,
    };
  if (row.protocol === "oauth2") {
    const last = (address: string) => address.split("/").at(-1);
    const inList =
      document["list"] !== undefined && last((row.emails ?? row.profile)?.url ?? "") === last(url.pathname);
    const more =
      row.accessTokenClaims === true ? { access_token: realmToken(document, `id-of-${name}`) } : {};
    return {
      json: inList ? document["list"] : { ...document, ...more },
      headers: { "x-ausername": "ann-lee" },
    };
  }
  if (row.protocol !== "oidc") return { json: document };
  const at = String(url).replace("/.well-known/openid-configuration", "");
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, key) =>
      key === "tid" ? tid : key === "client_id" ? `id-of-${name}` : String(values[key]),
    );
  const [issuer = at] = [row.idTokenIssuer ?? []].flat().map(fill);
  if (headers.authorization?.startsWith("Bearer")) return { json: { ...document, sub: "101" } };
  if (at !== String(url))
    return {
      json: {
        issuer,
        authorization_endpoint: `${at}/authorize`,
        token_endpoint: `${at}/token`,
        jwks_uri: `${at}/keys`,
        userinfo_endpoint: `${at}/userinfo`,
      },
    };
  if (/keys$|certs$/.test(url.pathname)) return { json: { keys: [issuerKey.published] } };
  const iat = Math.floor(Date.now() / 1000);
  const claims = Object.entries(row.claims ?? {}).map(([key, text]) => [key.split("|")[0], fill(text)]);
  const own = {
    iss: row.idTokenIssuer === undefined ? at.replace(/\/token$/, "") : issuer,
    aud: `id-of-${name}`,
  };
  const idToken = {
    ...document,
    ...own,
    sub: "101",
    tid,
    nonce,
    iat,
    exp: iat + 300,
    ...Object.fromEntries(claims),
  };
  return { json: { access_token: "101.token", id_token: await issuerKey.sign(idToken) } };
}

const tid = String(values["tenant_id"]);

/** An access token that says who signed in. */
export function realmToken(
  claims: object,
  aud: unknown,
  more: object = {},
  key = realmKey.privateKey,
): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 300;
  const text = `${encode({ alg: "RS256" })}.${encode({ ...claims, aud, exp, ...more })}`;
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

/** The accounts that sign in at a provider. */
export function accountsAt(service: TestService, name: string) {
  return service.query(
    `select uid, email, is_verified, first_name, last_name
     from auth_social join users on users.id = auth_social.user_id where provider = $1`,
    [name],
  );
}

/** Status and text of a sign-in that failed. */
export const refused = [401, expect.stringContaining("SOCIAL_AUTH_FAILED")];

/** Whether a verifier is that of a challenge, and how the challenge is written; null where it is not. */
export function pkceOf(verifier: string | undefined, challenge: string | null): "S256" | "hex" | null {
  const digest = createHash("sha256").update(verifier ?? "");
  const bytes = digest.digest();
  return bytes.toString("base64url") === challenge
    ? "S256"
    : bytes.toString("hex") === challenge
      ? "hex"
      : null;
}

/** A value in a document. A number is written with all its digits, however big it is. */
type Placed = string | boolean | { readonly digits: string };

type Json = string | boolean | Json[] | { [key: string]: Json };

/** A document that is made path by path (`a.b[0].c`, `[k=v]`, `*`, `#last`), as rows name them. */
class DocumentWith {
  #root: Json | undefined;

  place(path: string, value: Placed): void {
    const [way = "", part] = path.split("#");
    this.#root = grown(this.#root, way.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [], written(value, part));
  }

  /** Members that say nothing of the person, or lie. */
  add(members: Readonly<Record<string, Json>>): void {
    const root = this.#root ?? {};
    if (typeof root === "object" && !Array.isArray(root)) this.#root = { ...members, ...root };
  }

  toJson(): string {
    return JSON.stringify(this.#root ?? {}).replace(/"\u2116(\d+)"/g, "$1");
  }
}

/** Digits bear a mark until the whole is text: as a number they would be rounded. */
function written(value: Placed, part: string | undefined): Json {
  if (typeof value === "object") return `\u2116${value.digits}`;
  return part === "last" ? `/some/where/${value}` : value;
}

function grown(node: Json | undefined, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  if (step.startsWith("[")) return grownList(Array.isArray(node) ? node : [], step.slice(1, -1), rest, value);
  const object = typeof node === "object" && !Array.isArray(node) ? node : {};
  const key = step === "*" ? "any" : step;
  return { ...object, [key]: grown(object[key], rest, value) };
}

function grownList(list: readonly Json[], choice: string, rest: readonly string[], value: Json): Json {
  const [key = "", wanted] = choice.split("=");
  if (wanted === undefined) {
    const item = grown(list[Number(key)], rest, value);
    return [...list.slice(0, Number(key)), item, ...list.slice(Number(key) + 1)];
  }
  // The first that comes is another one.
  const [other = { [key]: false }, right = { [key]: wanted === "true" ? true : wanted }] = list;
  return [other, grown(right, rest, value)];
}
