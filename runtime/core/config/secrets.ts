import { createSecretKey, type KeyObject } from "node:crypto";
import type { Variables } from "./environment-variables.ts";

/** Keys of the service, made once. Null where the variable is unset (contract: "API key", "E-mail verification and reset secrets"). */
export interface Secrets {
  /** `SERVICE_AUTH_JWT_SECRET_KEY`: signs access and refresh tokens. */
  readonly jwt: KeyObject;
  /** `SERVICE_AUTH_API_KEY_SECRET`: hashes API keys. */
  readonly apiKey: KeyObject | null;
  /** `SERVICE_AUTH_VERIFICATION_KEY`: signs verification and reset links. */
  readonly verification: KeyObject | null;
  /** `SERVICE_AUTH_ENCRYPTION_KEY`: encrypts what must be read again, such as TOTP secrets. */
  readonly encryption: KeyObject | null;
}

const minSecretBytes = 32;

/** Reads the keys beside the JWT secret. Adds those that are too short to `report`. */
export function readSecrets(variables: Variables, report: string[]): Omit<Secrets, "jwt"> {
  const read = (name: string): KeyObject | null => {
    const text = variables[name] || null;
    checkSecret(name, text, report);
    return text === null ? null : secretKey(text);
  };
  return {
    apiKey: read("SERVICE_AUTH_API_KEY_SECRET"),
    verification: read("SERVICE_AUTH_VERIFICATION_KEY"),
    encryption: read("SERVICE_AUTH_ENCRYPTION_KEY"),
  };
}

/** HS256 is only as strong as its key; one shorter than the hash can be guessed. */
export function checkSecret(name: string, secret: string | null, report: string[]): void {
  if (secret === null || Buffer.byteLength(secret) >= minSecretBytes) return;
  report.push(`${name} is too short: it needs at least ${minSecretBytes} bytes`);
}

/** The key object of a secret's text. */
export function secretKey(text: string): KeyObject {
  return createSecretKey(Buffer.from(text, "utf8"));
}
