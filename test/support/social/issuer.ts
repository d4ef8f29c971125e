import { createHash, randomBytes } from "node:crypto";
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import type { Reply } from "../request.ts";
import type { TestService } from "../service.ts";
import type { Heard, Player, Says } from "./player.ts";
import { baseUrl, begin, comeBack } from "./sign-in.ts";

/** A provider of OpenID Connect, as its own documents have it. */
export interface IssuerFacts {
  /** What `iss` is. */
  readonly issuer: string;
  /** What the discovery document calls it; default the same. */
  readonly announced?: string;
  /** Where the discovery document stands; null for none. */
  readonly discovery: string | null;
  readonly authorize: string;
  readonly token: string;
  readonly keys: string;
  /** Null for none. */
  readonly userinfo: string | null;
  readonly credentials: "basic" | "body";
  readonly clientId: string;
  /** What the app proves itself with, or a check of it. */
  readonly clientSecret: string | ((secret: string) => Promise<boolean>);
  readonly callback: string;
  readonly pkce?: false;
  readonly nonce?: false;
}

/** An issuer with the usual addresses, for a provider that `socialSettings` has declared. */
export function issuerAt(address: string, provider: string): IssuerFacts {
  return {
    issuer: address,
    discovery: `${address}/.well-known/openid-configuration`,
    authorize: `${address}/authorize`,
    token: `${address}/token`,
    keys: `${address}/keys`,
    userinfo: `${address}/userinfo`,
    credentials: "basic",
    clientId: `id-of-${provider}`,
    clientSecret: `secret-of-${provider}`,
    callback: `${baseUrl}/auth/${provider}/callback`,
  };
}

/** The user who signs in: claims of the id_token, and the userinfo response. */
export interface Person {
  readonly claims: JWTPayload;
  readonly userinfo?: Readonly<Record<string, unknown>>;
}

/** What makes a sign-in differ from a good one. */
export interface Twist {
  /** Claims that differ; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** In place of signing with the issuer's key. */
  readonly sign?: (claims: JWTPayload) => string | Promise<string>;
  /** Members of the token answer that differ; undefined takes one away. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

interface Given {
  readonly query: URLSearchParams;
  readonly person: Person;
  readonly twist: Twist;
}

/** A fake issuer, which checks every request. `complaints` lists those that it refuses. */
export class Issuer {
  key: SigningKey;
  readonly complaints: string[] = [];
  /** Codes, tokens and nonces so far: none of them may be seen in a log or an answer. */
  readonly secrets: string[] = [];
  readonly facts: IssuerFacts;
  readonly #codes = new Map<string, Given>();
  readonly #people = new Map<string, Person>();
  readonly #now: () => number;

  constructor(player: Player, facts: IssuerFacts, key: SigningKey, now: () => number) {
    this.facts = facts;
    this.key = key;
    this.#now = now;
    this.announce(player);
    player.play(`GET ${bare(facts.keys)}`, () => ({ json: { keys: [this.key.published] } }));
    player.play(`POST ${bare(facts.token)}`, (heard) => this.#exchange(heard));
    if (facts.userinfo !== null) player.play(`GET ${bare(facts.userinfo)}`, (heard) => this.#userinfo(heard));
  }

  /** Publishes the discovery document; `more` takes the place of its members. */
  announce(player: Player, more: Readonly<Record<string, unknown>> = {}): void {
    const { discovery, announced, issuer, authorize, token, keys, userinfo } = this.facts;
    if (discovery === null) return;
    const json = {
      issuer: announced ?? issuer,
      authorization_endpoint: authorize,
      token_endpoint: token,
      jwks_uri: keys,
      ...(userinfo !== null && { userinfo_endpoint: userinfo }),
      ...more,
    };
    player.play(`GET ${discovery}`, () => ({ json }));
  }

  /** The user agrees at the authorization endpoint. Returns the code for the browser. */
  authorize(location: URL, person: Person, twist: Twist = {}): string {
    const { authorize, clientId, callback, nonce, pkce } = this.facts;
    const query = location.searchParams;
    const wanted = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: callback,
      code_challenge_method: pkce === false ? null : "S256",
    };
    if (bare(location.href) !== bare(authorize)) this.#refuse(`the address is ${bare(location.href)}`);
    for (const [name, value] of Object.entries(wanted))
      if (query.get(name) !== value) this.#refuse(`${name} is ${query.get(name)}`);
    for (const [name, sent] of [
      ["code_challenge", pkce !== false],
      ["nonce", nonce !== false],
    ] as const)
      if (/^[\w-]{43,}$/.test(query.get(name) ?? "") !== sent) this.#refuse(`${name} is ${query.get(name)}`);
    const code = `code-${randomBytes(9).toString("hex")}`;
    this.#codes.set(code, { query, person, twist });
    this.secrets.push(code, query.get("nonce") ?? code);
    return code;
  }

  async #exchange(heard: Heard): Promise<Says> {
    const { form } = heard;
    const given = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const wrong = given === undefined ? "the code" : await this.#wrong(heard, given.query);
    if (given === undefined || wrong !== null)
      return { status: 400, json: { error: this.#refuse(`${wrong} is wrong at the token endpoint`) } };
    const { person, twist } = given;
    const accessToken = `access-${randomBytes(9).toString("hex")}`;
    this.#people.set(accessToken, person);
    const seconds = Math.floor(this.#now() / 1000);
    const claims = {
      iss: this.facts.issuer,
      aud: this.facts.clientId,
      iat: seconds,
      exp: seconds + 300,
      nonce: given.query.get("nonce") ?? undefined,
      ...person.claims,
      ...twist.claims,
    };
    const idToken = await (twist.sign ?? ((one) => this.key.sign(one)))(claims);
    this.secrets.push(accessToken, idToken, idToken.split(".")[2] || idToken);
    return { json: { access_token: accessToken, token_type: "Bearer", id_token: idToken, ...twist.answer } };
  }

  /** What is wrong with a token request; null for nothing. */
  async #wrong({ form, headers, url }: Heard, query: URLSearchParams): Promise<string | null> {
    const { clientId, clientSecret, callback, credentials, pkce, token } = this.facts;
    if (url.search !== new URL(token).search) return "the address";
    if (form.get("grant_type") !== "authorization_code") return "grant_type";
    if (form.get("redirect_uri") !== callback) return "redirect_uri";
    const verifier = form.get("code_verifier");
    const challenge = createHash("sha256")
      .update(verifier ?? "")
      .digest("base64url");
    if (pkce === false ? verifier !== null : challenge !== query.get("code_challenge")) return "PKCE";
    const [id, secret] = credentials === "body" ? inBody(form) : inHeader(headers.authorization ?? "");
    const other = credentials === "body" ? headers.authorization : form.get("client_secret");
    if (other != null || id !== clientId) return "where the credentials stand";
    const isRight =
      typeof clientSecret === "string" ? secret === clientSecret : await clientSecret(secret ?? "");
    return isRight ? null : "the secret";
  }

  #userinfo({ headers }: Heard): Says {
    const person = this.#people.get((headers.authorization ?? "").replace(/^Bearer /, ""));
    if (person === undefined) return { status: 401, json: { error: this.#refuse("no Bearer token") } };
    return { json: { sub: person.claims.sub, ...person.userinfo } };
  }

  #refuse(reason: string): string {
    this.complaints.push(reason);
    return reason;
  }
}

/** A whole sign-in on the web: the answer of the callback, or of the login where that one fails. */
export async function signInAt(
  service: TestService,
  provider: string,
  issuer: Issuer,
  person: Person,
  twist: Twist = {},
): Promise<Reply> {
  const { location, state, cookie, reply } = await begin(service, provider);
  if (reply.status !== 302) return reply;
  const code = issuer.authorize(location, person, twist);
  return comeBack(service, provider, { code, state }, cookie);
}

/** An address without its query. */
function bare(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
}

function inBody(form: URLSearchParams): readonly (string | null)[] {
  return [form.get("client_id"), form.get("client_secret")];
}

function inHeader(header: string): readonly (string | undefined)[] {
  const text = Buffer.from(header.replace(/^Basic /, ""), "base64").toString("utf8");
  return text.split(":").map((part) => decodeURIComponent(part.replaceAll("+", " ")));
}

/** A key that id_tokens are signed with. */
export interface SigningKey {
  /** As the provider publishes it. */
  readonly published: JWK;
  /** The public half as PEM. */
  readonly pem: string;
  sign(claims: JWTPayload, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

/** A new key. */
export async function signingKey(alg = "RS256", kid = "key-1"): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return {
    published: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" },
    pem: await exportSPKI(publicKey),
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
}
