import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes in base32 of RFC 4648, without padding. Drops the last bits that do not fill a character. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
    held &= 0xff;
  }
  return text;
}

const require = createRequire(import.meta.url);
/** Loaded with the first code. */
const loadSpeakeasy = (): typeof import("speakeasy") => require("speakeasy");

// Eight characters of base32 are five bytes: 20 bytes leave no remainder.
const secretBytes = 20;
const digits = 6;
const stepSeconds = 30;
/** How many steps before and after the current one are accepted. */
const drift = 1;

/** A new TOTP secret: 160 random bits in base32. */
export function newTotpSecret(): string {
  return base32(randomBytes(secretBytes));
}

/** Whether a text has the form of a TOTP code. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/**
 * Returns the step of a code: the current step or one next to it; null for a wrong code. The caller must
 * ensure that each step is used once. `now` is in milliseconds.
 */
export function totpStep(secret: string, code: string, now: number): number | null {
  const present = Math.floor(now / 1000 / stepSeconds);
  const match = loadSpeakeasy().hotp.verifyDelta({
    secret,
    encoding: "base32",
    token: code,
    digits,
    counter: present - drift,
    window: 2 * drift,
  });
  return match === undefined ? null : present - drift + match.delta;
}

interface Provisioning {
  readonly secret: string;
  readonly issuer: string;
  /** The account: an e-mail address, a phone number or an id. */
  readonly label: string;
}

/** Returns the URI that authenticator apps read from a QR code. */
export function provisioningUri({ secret, issuer, label }: Provisioning): string {
  // Not URLSearchParams: apps show its plus signs instead of blanks.
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(label)}`;
  const issued = encodeURIComponent(issuer);
  return `otpauth://totp/${name}?secret=${secret}&issuer=${issued}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}
