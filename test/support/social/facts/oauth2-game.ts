import { deepStrictEqual, equal, ok } from "node:assert/strict";
import type { Heard, Player, Says } from "../player.ts";
import { checkCall } from "./check-call.ts";
import { checkTokenRequest } from "./check-token-request.ts";
import { fillFact } from "./declared.ts";
import type { Fact } from "./facts.ts";
import { domainPrefix, Person, type Prefix, shop, type Variant } from "./person.ts";
import { shopSignature } from "./signatures.ts";
import { type Told, toldOf } from "./told.ts";

/** Which answer tells of a failure with status 200. */
export interface GameOptions extends Variant {
  readonly failing?: "token" | "userinfo";
  /** The browser brings a code that the provider never gave. */
  readonly wrongCode?: true;
}

/** A provider of OAuth 2.0 that plays by the facts, and takes nothing that differs from them. */
export class OAuth2Game {
  readonly person: Person;
  readonly code: string;
  /** What was wrong with the calls. */
  readonly complaints: string[] = [];
  /** Which of the facts' addresses were called, in their order. */
  readonly called: string[] = [];
  readonly #options: GameOptions;
  readonly #told: Told;
  #challenge: string | null = null;
  #isSpent = false;

  constructor(player: Player, fact: Fact, options: GameOptions = {}) {
    this.#options = options;
    this.person = new Person(fact, options);
    this.#told = toldOf(fact, this.person);
    this.code = `code-of-${fact.name}`;
    this.#play(player);
  }

  /** The query that the login needs. */
  get loginQuery(): string {
    return this.#told.fact.authorize_url.includes("{shop}") ? `?shop=${shop}` : "";
  }

  /** What the browser brings back from where the login sent it. Throws where it was sent to a wrong place. */
  consent(location: URL): Record<string, string> {
    const { name, authorize_url, extra, scopes, scope_separator: separator } = this.#told.fact;
    const { code_challenge: challenge, state = "", ...query } = Object.fromEntries(location.searchParams);
    const { pkce, redirectParameter = "redirect_uri", fragment = "" } = this.#told.note;
    const asked = this.#told.note.scopes ?? [...scopes, ...(extra.email_scopes ?? [])];
    const address = new URL(fillFact(this.#told.fact, authorize_url, this.#told.known));
    equal(location.origin + location.pathname, address.origin + address.pathname);
    equal(location.hash, fragment);
    ok(state.length > 20, "a state");
    deepStrictEqual(query, {
      ...Object.fromEntries(address.searchParams),
      ...extra.authorize_params,
      response_type: "code",
      [extra.client_id_param ?? "client_id"]: this.#told.id,
      [redirectParameter]: this.#told.callbackUrl,
      ...(asked.length > 0 && { scope: asked.join(separator) }),
      ...(pkce !== "none" && { code_challenge_method: "S256" }),
    });
    if (pkce === "none") equal(challenge, undefined);
    else ok((pkce === "hex" ? /^[0-9a-f]{64}$/ : /^[\w-]{43}$/).test(challenge ?? ""), "a challenge");
    this.#challenge = challenge ?? null;
    const brought = { code: this.#options.wrongCode ? "another" : this.code, state };
    if (name === "vend") return { ...brought, domain_prefix: domainPrefix };
    if (name !== "shopify") return brought;
    const signed = { ...brought, shop, timestamp: String(Math.floor(Date.now() / 1000)), host: "YWJj" };
    return { ...signed, hmac: shopSignature(signed, this.#told.secret) };
  }

  #play(player: Player): void {
    const { token_method: method, token_url, userinfo_url, extra } = this.#told.fact;
    const { membership, nameFrom } = this.#told.note;
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
        checkCall(this.#told, heard, url);
        return { status: 204 };
      });
    if (nameFrom !== undefined)
      this.#at(player, "GET", nameFrom.url, "name", (heard, url) => {
        checkCall(this.#told, heard, url);
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
    const url = new URL(fillFact(this.#told.fact, template, this.#told.known));
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
    const sent = checkTokenRequest(this.#told, heard, url, this.#challenge);
    if (sent["code"] !== this.code || this.#isSpent) return { status: 400, json: { error: "invalid_grant" } };
    this.#isSpent = true;
    if (this.#options.failing === "token") return { json: this.#told.note.failure };
    const { accessTokenAt = "access_token", tokenJson } = this.#told.note;
    const answer = this.person.answer("token");
    answer.place(accessTokenAt, this.#told.accessToken);
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

  #profile(heard: Heard, url: URL, prefix: Prefix): Says {
    checkCall(this.#told, heard, url, this.#told.fact.extra.userinfo_params);
    if (this.#options.failing === "userinfo") return { json: this.#told.note.failure };
    return this.#json(this.person.answer(prefix).toJson());
  }

  #more(heard: Heard, url: URL, prefix: Prefix): Says {
    checkCall(this.#told, heard, url);
    return this.#json(this.person.answer(prefix).toJson());
  }

  #json(text: string): Says {
    return {
      text,
      headers: { "content-type": this.#told.note.mediaType ?? "application/json; charset=utf-8" },
    };
  }
}
