import { createHmac } from "node:crypto";
import type { OAuth1Provider } from "#vocabulary/social/provider";
import type { Heard, Player, Says } from "./player.ts";

/** What a server of OAuth 1.0a knows of the app. */
export interface Consumer {
  readonly key: string;
  readonly secret: string;
  /** Settings that the row's addresses contain. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What a server answers. */
export interface OAuth1Answers {
  readonly accessToken?: Readonly<Record<string, string>>;
  /** About the person; without it all that rows look for. */
  readonly profile?: (heard: Heard, signed: ReadonlyMap<string, string>) => Says | Promise<Says>;
  readonly requestToken?: Readonly<Record<string, string>>;
}

/** What the server has given out: with marks in it that must be encoded. */
export const given = {
  requestToken: "request/token+1",
  requestSecret: "request secret&%",
  accessToken: "access~token=",
  accessSecret: "!access*(secret)'",
  verifier: "verifier/+=",
} as const;

/** Ann, as one provider or another writes her. */
const everything = {
  ...{ id: "101", id_str: "101", username: "ann", name: "Ann Lee", email: "ann@example.com" },
  ...{ given_name: "Ann", family_name: "Lee" },
};

/** A server of OAuth 1.0a that has the addresses of a row, and takes no call whose signature, nonce or moment is wrong (RFC 5849, 3.2). */
export class OAuth1Server {
  /** Where the app wants people back. */
  callback: string | null = null;
  readonly #nonces = new Set<string>();
  readonly #consumer: Consumer;
  readonly #row: OAuth1Provider;
  readonly #answers: OAuth1Answers;

  constructor(player: Player, row: OAuth1Provider, consumer: Consumer, answers: OAuth1Answers = {}) {
    this.#consumer = consumer;
    this.#row = row;
    this.#answers = answers;
    const request = `${row.request.method} ${this.#address(row.request.url)}`;
    const token = `${row.token.method ?? "POST"} ${this.#address(row.token.url)}`;
    // Two steps may have one address (Evernote), or differ in the query (MediaWiki).
    const answer = (heard: Heard) => this.#answer(heard);
    for (const address of new Set([request, token])) player.play(address, answer);
    for (const call of [row.profile, row.details])
      if (call !== undefined) player.play(`${call.method ?? "GET"} ${this.#address(call.url)}`, answer);
  }

  /** Sends the browser back, as the person has allowed. */
  comeBack(): Record<string, string> {
    const url = new URL(this.callback ?? "");
    return {
      ...Object.fromEntries(url.searchParams),
      oauth_token: given.requestToken,
      oauth_verifier: given.verifier,
    };
  }

  #answer(heard: Heard): Says | Promise<Says> {
    const oauth = parametersIn(heard.headers.authorization ?? "");
    const callback = oauth.get("oauth_callback");
    if (callback !== undefined) return this.#requestToken(heard, oauth, callback);
    if (oauth.has("oauth_verifier")) return this.#accessToken(heard, oauth);
    return this.#profile(heard, oauth);
  }

  #requestToken(heard: Heard, oauth: ReadonlyMap<string, string>, callback: string): Says {
    this.#require(heard, oauth, this.#row.request.url, "");
    const scope = heard.url.searchParams.get("scope") ?? "";
    if (scope !== (this.#row.request.parameters?.["scope"] ?? "")) throw new Error(`the scope is "${scope}"`);
    if (oauth.has("oauth_token")) throw new Error("a token before there is one");
    this.callback = callback;
    return {
      form: {
        oauth_token: given.requestToken,
        oauth_token_secret: given.requestSecret,
        oauth_callback_confirmed: "true",
        ...this.#answers.requestToken,
      },
    };
  }

  #accessToken(heard: Heard, oauth: ReadonlyMap<string, string>): Says {
    this.#require(heard, oauth, this.#row.token.url, given.requestSecret);
    if (oauth.get("oauth_token") !== given.requestToken || oauth.get("oauth_verifier") !== given.verifier)
      return { status: 401, text: "another token or verifier" };
    return {
      form: {
        oauth_token: given.accessToken,
        oauth_token_secret: given.accessSecret,
        ...this.#answers.accessToken,
      },
    };
  }

  #profile(heard: Heard, oauth: ReadonlyMap<string, string>): Says | Promise<Says> {
    const { profile, details } = this.#row;
    const own = this.#address(profile?.url ?? "https://x/") === heard.url.origin + heard.url.pathname;
    this.#require(heard, oauth, (own ? profile : details)?.url, given.accessSecret);
    if (oauth.get("oauth_token") !== given.accessToken) return { status: 401, text: "another token" };
    for (const [name, value] of Object.entries((own && profile?.parameters) || {}))
      if (heard.url.searchParams.get(name) !== value) throw new Error(`${name} is not ${value}`);
    return this.#answers.profile?.(heard, oauth) ?? { json: everything };
  }

  /** Throws unless the call is one of the app's own, signed by both secrets, and new. */
  #require(
    heard: Heard,
    oauth: ReadonlyMap<string, string>,
    address: string | undefined,
    secret: string,
  ): void {
    const query = new URL(this.#filled(address ?? "")).searchParams;
    for (const [name, value] of query)
      if (heard.url.searchParams.get(name) !== value) throw new Error(`${name} is not ${value}`);
    const nonce = oauth.get("oauth_nonce") ?? "";
    const age = Date.now() / 1000 - Number(oauth.get("oauth_timestamp"));
    if (nonce === "" || this.#nonces.has(nonce)) throw new Error("the nonce was used");
    this.#nonces.add(nonce);
    if (!(Math.abs(age) < 60)) throw new Error("the moment is wrong");
    if (oauth.get("oauth_consumer_key") !== this.#consumer.key) throw new Error("another app");
    if (oauth.get("oauth_signature_method") !== "HMAC-SHA1") throw new Error("another method");
    if (oauth.get("oauth_version") !== "1.0") throw new Error("another version");
    if ("user-agent" in heard.headers === false) throw new Error("the request has no user-agent");
    const expected = signatureFor(heard, oauth, this.#consumer.secret, secret);
    if (oauth.get("oauth_signature") !== expected) throw new Error("the signature is wrong");
  }

  #address(template: string): string {
    const url = new URL(this.#filled(template));
    return url.origin + url.pathname;
  }

  #filled(template: string): string {
    return template.replace(/\{(?:\w+:)?(\w+)\}/g, (_, name) => this.#consumer.settings?.[name] ?? "ann");
  }
}

/** The parameters in an `Authorization` header of OAuth. */
function parametersIn(header: string): ReadonlyMap<string, string> {
  if (!header.startsWith("OAuth ")) throw new Error("the header is not OAuth");
  return new Map(
    header
      .slice("OAuth ".length)
      .split(",")
      .map((pair) => {
        const [, name = "", value = ""] = /^\s*([^=]+)="([^"]*)"$/.exec(pair) ?? [];
        return [decodeURIComponent(name), decodeURIComponent(value)] as const;
      }),
  );
}

/** The signature that a call must have, worked out by the letter of RFC 5849, 3.4. */
export function signatureFor(
  { method, url, form }: Pick<Heard, "method" | "url" | "form">,
  oauth: ReadonlyMap<string, string>,
  consumerSecret: string,
  tokenSecret: string,
): string {
  const parameters: string[] = [];
  const add = (value: string, name: string) => void parameters.push(`${encoded(name)}=${encoded(value)}`);
  url.searchParams.forEach(add);
  form.forEach(add);
  for (const [name, value] of oauth) if (name !== "oauth_signature" && name !== "realm") add(value, name);
  // "=" sorts behind the digits, so that names are compared before values.
  const sorted = parameters.sort((one, other) => {
    const [a, b] = [one.split("="), other.split("=")];
    return (
      Buffer.compare(Buffer.from(a[0] ?? ""), Buffer.from(b[0] ?? "")) ||
      Buffer.compare(Buffer.from(a[1] ?? ""), Buffer.from(b[1] ?? ""))
    );
  });
  const address = `${url.protocol}//${url.hostname}${url.port === "" ? "" : `:${url.port}`}${url.pathname}`;
  const base = `${method}&${encoded(address)}&${encoded(sorted.join("&"))}`;
  return createHmac("sha1", `${encoded(consumerSecret)}&${encoded(tokenSecret)}`)
    .update(base)
    .digest("base64");
}

/** RFC 5849, 3.6, byte by byte. */
function encoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9\-._~]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}
