import { createHash, createHmac, type KeyObject, randomBytes } from "node:crypto";
import { isJsonObject } from "../../../../../vocabulary/json.ts";
import {
  codeChallengePattern,
  flows,
  longestDeviceToken,
  platforms,
} from "../../../../../vocabulary/social/sign-in-options.ts";
import { mapKeys, type SecretKeys } from "../../../../core/config/index.ts";
import { invalid } from "../../../../core/errors/index.ts";
import { derivedKey, derivedKeys, isSameText, keyedHashOf, SealedTexts } from "../../crypto/hash.ts";

/** The secrets of one sign-in. They are derived from its state, so they are not stored. */
export interface DerivedSecrets {
  /** PKCE (RFC 7636): 64 characters. */
  readonly verifier: string;
  /** OpenID Connect. */
  readonly nonce: string;
  /** The id of a SAML request: an NCName. */
  readonly requestId: string;
}

/** Returns the PKCE challenge of a verifier: its SHA-256. */
export function challengeOf(verifier: string, encoding: "base64url" | "hex"): string {
  return createHash("sha256").update(verifier).digest(encoding);
}

export type Platform = (typeof platforms)[number];
export type Flow = (typeof flows)[number];

/** The lifetime of a sign-in, in seconds. */
export const stateSeconds = 600;

/** The content of a state. */
export interface SignInState {
  readonly csrf: string;
  readonly platform: Platform;
  readonly flow: Flow;
  readonly deviceToken: string | null;
}

/** A state that was made, or read and found good. */
export interface SignedState extends SignInState {
  readonly secrets: DerivedSecrets;
}

/**
 * Signed states, which are not stored: base64url of `payload.signature`. The signature covers the provider's
 * name, so a state is valid for one provider only. The secrets of a sign-in are derived from the key that
 * signed its state. `now` is in milliseconds.
 */
export class SignInStates {
  readonly #keys: SecretKeys<{ readonly signing: KeyObject; readonly deriving: Buffer }>;

  constructor(jwtSecret: SecretKeys) {
    this.#keys = mapKeys(jwtSecret, (signing) => ({ signing, deriving: derivedKey(signing, "oauth") }));
  }

  /** Makes a state. `csrf` is its random part. */
  make(
    provider: string,
    options: Omit<SignInState, "csrf">,
    now: number,
  ): Pick<SignedState, "csrf" | "secrets"> & { readonly state: string } {
    const [{ signing, deriving }] = this.#keys;
    const csrf = randomBytes(32).toString("base64url");
    const payload = JSON.stringify({
      csrf,
      exp: Math.floor(now / 1000) + stateSeconds,
      p: options.platform,
      f: options.flow,
      ...(options.deviceToken !== null && { d: options.deviceToken }),
    });
    const state = Buffer.from(`${payload}.${signatureOf(signing, provider, payload)}`).toString("base64url");
    return { state, csrf, secrets: secretsOf(deriving, provider, csrf) };
  }

  /** Returns the content of a state; null if it is forged, expired, or another provider's. */
  read(provider: string, state: string, now: number): SignedState | null {
    if (!/^[\w-]+$/.test(state)) return null;
    const text = Buffer.from(state, "base64url").toString("utf8");
    const dot = text.lastIndexOf(".");
    const payload = text.slice(0, Math.max(dot, 0));
    const key = this.#keys.find(({ signing }) =>
      isSameText(signatureOf(signing, provider, payload), text.slice(dot + 1)),
    );
    const content = key === undefined ? null : stateOf(JSON.parse(payload), now);
    if (key === undefined || content === null) return null;
    return { ...content, secrets: secretsOf(key.deriving, provider, content.csrf) };
  }
}

function signatureOf(key: KeyObject, provider: string, payload: string): string {
  return createHmac("sha256", key).update(`kirak oauth state\n${provider}\n${payload}`).digest("base64url");
}

function secretsOf(key: Buffer, provider: string, csrf: string): DerivedSecrets {
  const make = (use: string) => keyedHashOf(`${use} ${provider} ${csrf}`, key);
  return { verifier: make("verifier"), nonce: make("nonce"), requestId: `_${make("request")}` };
}

/** Kirak signed the payload, so a missing key means that another version wrote it. */
function stateOf(payload: unknown, now: number): SignInState | null {
  if (!isJsonObject(payload)) return null;
  const { csrf, exp, p, f, d = null } = payload;
  const platform = platforms.find((one) => one === p);
  const flow = flows.find((one) => one === f);
  if (typeof csrf !== "string" || typeof exp !== "number" || platform === undefined || flow === undefined)
    return null;
  if (exp * 1000 <= now || !(d === null || typeof d === "string")) return null;
  return { csrf, platform, flow, deviceToken: d };
}

/** The session of the user who links a provider. */
export interface LinkOwner {
  readonly userId: string;
  readonly sessionId: string;
}

/** The encrypted state of a browser between login and callback. */
export interface CookieContent {
  /** The page that the callback redirects to; null if the login named none. */
  readonly redirectTo: string | null;
  /** Data for the protocol's callback, such as the secret of a request token. */
  readonly secret: string | null;
  /** The challenge that the web auth token is bound to. */
  readonly codeChallenge: string | null;
  /** The session that links the provider; null for a sign-in. */
  readonly link: LinkOwner | null;
}

/** The name of the cookie that binds a sign-in to a browser. */
export const signInCookie = "kirak_oauth";

/** Seals the cookie of a sign-in. Only the state that it was made with can open it. */
export class SignInCookies {
  readonly #sealed: SealedTexts;

  constructor(jwtSecret: SecretKeys) {
    this.#sealed = new SealedTexts(derivedKeys(jwtSecret, "oauth cookie"));
  }

  seal(provider: string, csrf: string, content: CookieContent): string {
    return this.#sealed.seal(JSON.stringify(content), `${provider} ${csrf}`);
  }

  /** Returns null for a cookie of another sign-in or another browser, and for an invalid cookie. */
  open(provider: string, csrf: string, cookie: string): CookieContent | null {
    try {
      const content: unknown = JSON.parse(this.#sealed.open(cookie, `${provider} ${csrf}`));
      if (!isJsonObject(content)) return null;
      const { redirectTo, secret, codeChallenge, link } = content;
      return {
        link: ownerOf(link),
        redirectTo: textOrNull(redirectTo),
        secret: textOrNull(secret),
        codeChallenge: textOrNull(codeChallenge),
      };
    } catch {
      return null;
    }
  }
}

function ownerOf(value: unknown): LinkOwner | null {
  if (!isJsonObject(value)) return null;
  const [userId, sessionId] = [textOrNull(value["userId"]), textOrNull(value["sessionId"])];
  return userId === null || sessionId === null ? null : { userId, sessionId };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The options in the query of a login. */
export interface SignInOptions {
  readonly platform: Platform;
  readonly flow: Flow;
  readonly deviceToken: string | null;
  /** The page that the callback redirects to: one of `auth.social_redirect_urls`, or the sign-in page. */
  readonly redirectTo: string | null;
  /** The challenge that the web auth token is bound to (PKCE, S256). */
  readonly codeChallenge: string | null;
}

const codeChallengeForm = new RegExp(codeChallengePattern);

/** Reads the query of a login. Errors: 400 `VALIDATION_ERROR` with `details.field`. */
export function signInOptionsOf(query: URLSearchParams, redirectUrls: readonly string[]): SignInOptions {
  const platform = oneOf(platforms, "platform", query) ?? "web";
  const redirectTo = query.get("redirect_to");
  if (redirectTo !== null && (platform !== "web" || !redirectUrls.includes(redirectTo)))
    throw invalid([
      { field: "redirect_to", message: "is not in auth.social_redirect_urls, or not a web address" },
    ]);
  const deviceToken = query.get("device_token");
  if ((deviceToken?.length ?? 0) > longestDeviceToken)
    throw invalid([{ field: "device_token", message: `is longer than ${longestDeviceToken} characters` }]);
  const codeChallenge = query.get("code_challenge");
  if (codeChallenge !== null && !codeChallengeForm.test(codeChallenge))
    throw invalid([{ field: "code_challenge", message: "must be a SHA-256 in base64url, 43 characters" }]);
  return { platform, flow: oneOf(flows, "flow", query) ?? "login", deviceToken, redirectTo, codeChallenge };
}

function oneOf<const Value extends string>(
  values: readonly Value[],
  field: string,
  query: URLSearchParams,
): Value | null {
  const text = query.get(field);
  const value = values.find((one) => one === text);
  if (text !== null && value === undefined)
    throw invalid([{ field, message: `must be one of ${values.join(", ")}` }]);
  return value ?? null;
}
