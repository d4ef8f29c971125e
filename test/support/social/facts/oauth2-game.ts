import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Heard, Player, Says } from "../player.ts";
import { baseUrl } from "../sign-in.ts";
import { fillFact } from "./declared.ts";
import type { Fact, Texts } from "./facts.ts";
import { type Note, notes } from "./notes.ts";
import { domainPrefix, Person, type Prefix, shop, uidOf, type Variant } from "./person.ts";
import { computed, shopSignature } from "./signatures.ts";

/** Which answer tells of a failure with status 200. */
export interface GameOptions extends Variant {
  readonly failing?: "token" | "userinfo";
  /** The browser brings a code that the provider never gave. */
  readonly wrongCode?: true;
}

/** A provider of OAuth 2.0 that plays by the facts, and takes nothing that differs from them. */
export class OAuth2Game {
  readonly person: Person;
  readonly code = `code-${Math.random().toString(36).slice(2)}`;
  /** What was wrong with the calls. */
  readonly complaints: string[] = [];
  /** Which of the facts' addresses were called, in their order. */
  readonly called: string[] = [];
  readonly #fact: Fact;
  readonly #note: Note;
  readonly #options: GameOptions;
  readonly #id: string;
  readonly #secret: string;
  readonly #callbackUrl: string;
  readonly #accessToken: string;
  readonly #known: Texts;
  #challenge: string | null = null;
  #isSpent = false;

  constructor(player: Player, fact: Fact, options: GameOptions = {}) {
    this.#fact = fact;
    this.#note = notes[fact.name] ?? {};
    this.#options = options;
    this.person = new Person(fact, options);
    this.#id = `id-of-${fact.name}`;
    this.#secret = `secret-of-${fact.name}`;
    this.#callbackUrl = `${baseUrl}/auth/${fact.name}/callback`;
    const uid = uidOf(fact.name);
    this.#accessToken = fact.uid_path.startsWith("access_token:")
      ? this.person.realmToken(this.#id, Math.floor(Date.now() / 1000) + 300)
      : `${uid}.token-of-${fact.name}`;
    const { token = {} } = this.#note;
    this.#known = {
      ...token,
      ...Object.fromEntries(Object.entries(token).map(([name, value]) => [`token:${name}`, value])),
      ...{
        token: this.#accessToken,
        sub: uid,
        id: uid,
        user_id: uid,
        "token:uid": uid,
        "profile:openid": uid,
      },
      ...{ username: "ann-lee", shop, domain_prefix: domainPrefix },
    };
    this.#play(player);
  }

  /** The query that the login needs. */
  get loginQuery(): string {
    return this.#fact.authorize_url.includes("{shop}") ? `?shop=${shop}` : "";
  }

  /** What the browser brings back from where the login sent it. Throws where it was sent to a wrong place. */
  consent(location: URL): Record<string, string> {
    const { name, authorize_url, extra, scopes, scope_separator: separator } = this.#fact;
    const { code_challenge: challenge, state = "", ...query } = Object.fromEntries(location.searchParams);
    const { pkce, redirectParameter = "redirect_uri", fragment = "" } = this.#note;
    const asked = this.#note.scopes ?? [...scopes, ...(extra.email_scopes ?? [])];
    const address = new URL(fillFact(this.#fact, authorize_url, this.#known));
    equal(location.origin + location.pathname, address.origin + address.pathname);
    equal(location.hash, fragment);
    ok(state.length > 20, "a state");
    deepStrictEqual(query, {
      ...Object.fromEntries(address.searchParams),
      ...extra.authorize_params,
      response_type: "code",
      [extra.client_id_param ?? "client_id"]: this.#id,
      [redirectParameter]: this.#callbackUrl,
      ...(asked.length > 0 && { scope: asked.join(separator) }),
      ...(pkce !== "none" && { code_challenge_method: "S256" }),
    });
    if (pkce === "none") equal(challenge, undefined);
    else ok((pkce === "hex" ? /^[0-9a-f]{64}$/ : /^[\w-]{43}$/).test(challenge ?? ""), "a challenge");
    this.#challenge = challenge ?? null;
    const brought = { code: this.#options.wrongCode ? "another" : this.code, state };
    if (name === "vend") return { ...brought, domain_prefix: domainPrefix };
    if (name !== "shopify") return brought;
    const signed = { ...brought, shop, timestamp: "1700000000", host: "YWJj" };
    return { ...signed, hmac: shopSignature(signed, this.#secret) };
  }

  #play(player: Player): void {
    const { token_method: method, token_url, userinfo_url, extra } = this.#fact;
    const { membership, nameFrom } = this.#note;
    this.#at(player, method, token_url, "token", (heard, url) => this.#token(heard, url));
    if (userinfo_url !== null)
      this.#at(player, extra.userinfo_method ?? "GET", userinfo_url, "userinfo", (heard, url) =>
        this.#profile(heard, url, "userinfo"),
      );
    // Without a path into it, it is only what the library calls.
    if (extra.profile_url !== undefined && !extra.profile_url.includes("{cloud_id}"))
      this.#at(player, "GET", extra.profile_url, "profile", (heard, url) =>
        this.#more(heard, url, "profile"),
      );
    if (extra.email_url !== undefined)
      this.#at(player, "GET", extra.email_url, "emails", (heard, url) => this.#more(heard, url, "emails"));
    if (membership !== undefined)
      this.#at(player, "GET", membership, "membership", (heard, url) => {
        this.#checkCall(heard, url, {});
        return { status: 204 };
      });
    if (nameFrom !== undefined)
      this.#at(player, "GET", nameFrom.url, "name", (heard, url) => {
        this.#checkCall(heard, url, {});
        return { json: { version: "9" }, headers: { [nameFrom.header]: "ann-lee" } };
      });
  }

  #at(
    player: Player,
    method: string,
    template: string,
    what: string,
    part: (heard: Heard, url: URL) => Says,
  ): void {
    const url = new URL(fillFact(this.#fact, template, this.#known));
    player.play(`${method} ${url.origin}${url.pathname}`, (heard) => {
      this.called.push(what);
      try {
        ok((heard.headers["user-agent"] ?? "").length > 3, "a User-Agent");
        return part(heard, url);
      } catch (error) {
        this.complaints.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        return { status: 400, json: { error: "invalid_request" } };
      }
    });
  }

  #token(heard: Heard, url: URL): Says {
    const { token_method: method } = this.#fact;
    const own = Object.fromEntries(url.searchParams);
    const query = Object.fromEntries(heard.url.searchParams);
    if (method === "POST") deepStrictEqual(query, own, "the query of the token request");
    const sent = method === "GET" ? query : this.#body(heard);
    this.#checkTokenRequest(heard, sent, method === "GET" ? own : {});
    if (sent["code"] !== this.code || this.#isSpent) return { status: 400, json: { error: "invalid_grant" } };
    this.#isSpent = true;
    if (this.#options.failing === "token") return { json: this.#note.failure };
    const { accessTokenAt = "access_token", tokenJson } = this.#note;
    const answer = this.person.answer("token");
    answer.place(accessTokenAt, this.#accessToken);
    answer.add({ token_type: "bearer", expires_in: "3600" });
    const accept = String(heard.headers.accept);
    const wanted = {
      accept: accept.includes("application/json"),
      fmt: sent["fmt"] === "json",
      output: sent["output"] === "json",
      never: false,
    };
    if (tokenJson === undefined || wanted[tokenJson]) return this.#json(answer.toJson());
    return { text: answer.toForm(), headers: { "content-type": "application/x-www-form-urlencoded" } };
  }

  #body({ headers, body, form }: Heard): Texts {
    const isJson = this.#fact.extra.token_body === "json";
    const type = isJson ? "application/json" : "application/x-www-form-urlencoded";
    equal(String(headers["content-type"]).split(";")[0], type);
    return isJson ? JSON.parse(body) : Object.fromEntries(form);
  }

  /** Everything in it must be as the facts say, and nothing else may be. */
  #checkTokenRequest({ headers }: Heard, sent: Texts, own: Texts): void {
    const { token_auth: auth, extra } = this.#fact;
    const { tokenWithout = [], tokenMay = [], redirectParameter = "redirect_uri", pkce } = this.#note;
    const { code: _, code_verifier: verifier, ...rest } = sent;
    const inBody = auth === "body" || this.#note.credentialsTwice === true;
    const expected: Record<string, string> = {
      ...own,
      grant_type: "authorization_code",
      [redirectParameter]: this.#callbackUrl,
      ...(inBody && { [extra.client_id_param ?? "client_id"]: this.#id }),
      ...(inBody &&
        this.#note.secretElsewhere !== true && {
          [extra.client_secret_param ?? "client_secret"]: this.#secret,
        }),
      ...this.#filled(extra.token_params),
    };
    for (const name of tokenWithout) delete expected[name];
    for (const name of tokenMay) if (!(name in rest)) delete expected[name];
    deepStrictEqual(rest, expected, "the parameters of the token request");
    if (pkce === "none") equal(verifier, undefined);
    else {
      ok(/^[\w.~-]{43,128}$/.test(verifier ?? ""), "a verifier");
      const digest = createHash("sha256")
        .update(verifier ?? "")
        .digest(pkce === "hex" ? "hex" : "base64url");
      equal(digest, this.#challenge, "the challenge of the verifier");
    }
    const basic = `Basic ${Buffer.from(`${this.#id}:${this.#secret}`).toString("base64")}`;
    const wanted = {
      ...(auth === "basic" && { Authorization: basic }),
      ...this.#filled(extra.token_headers),
    };
    this.#checkHeaders(headers, wanted);
    if (!("Authorization" in wanted)) equal(headers.authorization, undefined);
  }

  #profile(heard: Heard, url: URL, prefix: Prefix): Says {
    this.#checkCall(heard, url, this.#fact.extra.userinfo_params ?? {});
    if (this.#options.failing === "userinfo") return { json: this.#note.failure };
    return this.#json(this.person.answer(prefix).toJson());
  }

  #more(heard: Heard, url: URL, prefix: Prefix): Says {
    this.#checkCall(heard, url, {});
    return this.#json(this.person.answer(prefix).toJson());
  }

  /** A call with the access token, where the facts say that it stands. */
  #checkCall({ url, headers, method, body, form }: Heard, address: URL, params: Texts): void {
    const { userinfo_auth: carrier = "scheme:Bearer", userinfo_headers } = this.#fact.extra;
    const [way, name = ""] = carrier.split(":");
    const token = this.#accessToken;
    const plain = {
      ...Object.fromEntries(address.searchParams),
      ...this.#filled(
        Object.fromEntries(Object.entries(params).filter(([, text]) => !/\(|^\{md5/.test(text))),
      ),
      ...(way === "query" && { [name]: token }),
    };
    const signed = Object.entries(params).flatMap(([parameter, text]) => {
      const signature = computed(text, plain, token, this.#secret);
      return signature === null ? [] : [[parameter, signature]];
    });
    deepStrictEqual(Object.fromEntries(url.searchParams), { ...plain, ...Object.fromEntries(signed) });
    equal(headers.authorization, way === "scheme" ? `${name} ${token}` : undefined);
    if (way === "header") equal(headers[name.toLowerCase()], token);
    if (way === "form") deepStrictEqual(Object.fromEntries(form), { [name]: token });
    else equal(body, "");
    if (method === "POST" && body === "")
      equal(headers["content-type"], undefined, "an empty body has no type");
    this.#checkHeaders(headers, this.#filled(withoutAny(userinfo_headers ?? {})));
  }

  #checkHeaders(headers: Heard["headers"], wanted: Texts): void {
    for (const [name, value] of Object.entries(wanted)) equal(headers[name.toLowerCase()], value, name);
  }

  #filled(templates: Texts = {}): Texts {
    return Object.fromEntries(
      Object.entries(templates).map(([name, text]) => [name, fillFact(this.#fact, text, this.#known)]),
    );
  }

  #json(text: string): Says {
    return { text, headers: { "content-type": this.#note.mediaType ?? "application/json; charset=utf-8" } };
  }
}

/** That there is a User-Agent is checked of every call. */
function withoutAny(headers: Texts): Texts {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "User-Agent"));
}
