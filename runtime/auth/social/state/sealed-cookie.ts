import type { KeyObject } from "node:crypto";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import { SealedTexts } from "../../crypto/encryption.ts";
import { derivedKey } from "../../crypto/hash.ts";

/** What a browser carries, sealed, between login and callback. */
export interface CookieContent {
  /** Where the sign-in leads back to, of those that the manifest lists. */
  readonly redirectTo: string | null;
  /** What the provider's protocol needs again: the secret of a request token. */
  readonly secret: string | null;
  /** What the web auth token is bound to. */
  readonly codeChallenge: string | null;
}

/** The name of the cookie that binds a sign-in to a browser (decisions, part 9). */
export const signInCookie = "kirak_oauth";

/** Seals the cookie of a sign-in. It opens with the very state alone that it was made with. */
export class SignInCookies {
  readonly #sealed: SealedTexts;

  constructor(jwtSecret: KeyObject) {
    this.#sealed = new SealedTexts([derivedKey(jwtSecret, "oauth cookie")]);
  }

  seal(provider: string, csrf: string, { redirectTo, secret, codeChallenge }: CookieContent): string {
    return this.#sealed.seal(JSON.stringify({ redirectTo, secret, codeChallenge }), `${provider} ${csrf}`);
  }

  /** Null for a cookie of another sign-in, of another browser, or of nobody. */
  open(provider: string, csrf: string, cookie: string): CookieContent | null {
    try {
      const content: unknown = JSON.parse(this.#sealed.open(cookie, `${provider} ${csrf}`));
      if (!isJsonObject(content)) return null;
      const { redirectTo, secret, codeChallenge } = content;
      return {
        redirectTo: textOrNull(redirectTo),
        secret: textOrNull(secret),
        codeChallenge: textOrNull(codeChallenge),
      };
    } catch {
      return null;
    }
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
