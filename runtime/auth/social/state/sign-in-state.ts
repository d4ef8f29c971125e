import { createHmac, type KeyObject, randomBytes } from "node:crypto";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import { isSameText } from "../../crypto/same-text.ts";

export const platforms = ["web", "ios", "android"] as const;
export const flows = ["login", "signup"] as const;
export type Platform = (typeof platforms)[number];
export type Flow = (typeof flows)[number];

/** How long a sign-in may take, in seconds (contract: "Social sign-in", 4). */
export const stateSeconds = 600;

/** What a state says (contract: "OAuth state payload"). */
export interface SignInState {
  readonly csrf: string;
  readonly platform: Platform;
  readonly flow: Flow;
  readonly deviceToken: string | null;
}

/**
 * The states of sign-ins: nothing of one is stored. Base64url of `payload.signature`; the provider is in what is signed,
 * so that the state of one is worth nothing at another. `now` is in milliseconds.
 */
export class SignInStates {
  readonly #key: KeyObject;

  constructor(jwtSecret: KeyObject) {
    this.#key = jwtSecret;
  }

  /** A new state. */
  make(provider: string, wanted: Omit<SignInState, "csrf">, now: number): { state: string; csrf: string } {
    const csrf = randomBytes(32).toString("base64url");
    const payload = JSON.stringify({
      csrf,
      exp: Math.floor(now / 1000) + stateSeconds,
      p: wanted.platform,
      f: wanted.flow,
      ...(wanted.deviceToken !== null && { d: wanted.deviceToken }),
    });
    const text = `${payload}.${this.#signature(provider, payload)}`;
    return { state: Buffer.from(text).toString("base64url"), csrf };
  }

  /** What a state says; null for one that is forged, expired, or another provider's. */
  read(provider: string, state: string, now: number): SignInState | null {
    if (!/^[\w-]+$/.test(state)) return null;
    const text = Buffer.from(state, "base64url").toString("utf8");
    const dot = text.lastIndexOf(".");
    const payload = text.slice(0, Math.max(dot, 0));
    if (!isSameText(this.#signature(provider, payload), text.slice(dot + 1))) return null;
    return stateOf(JSON.parse(payload), now);
  }

  #signature(provider: string, payload: string): string {
    return createHmac("sha256", this.#key)
      .update(`kirak oauth state\n${provider}\n${payload}`)
      .digest("base64url");
  }
}

/** The payload was signed by us: what it lacks, another version of ours has left out. */
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
