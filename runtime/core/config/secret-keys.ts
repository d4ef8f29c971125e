import { createSecretKey, type KeyObject } from "node:crypto";
import type { Variables } from "./environment-variables.ts";

/**
 * The keys of one secret (docs/secrets.md). The first signs, seals and hashes. All of them verify, open and
 * match.
 */
export type SecretKeys<Key = KeyObject> = readonly [current: Key, ...previous: Key[]];

/** The secrets of the service that have a second variable. Null if the variable is not set. */
export interface Secrets {
  /** `SERVICE_AUTH_JWT_SECRET_KEY`: signs access and refresh tokens. */
  readonly jwt: SecretKeys;
  /** `SERVICE_AUTH_API_KEY_SECRET`: hashes API keys. */
  readonly apiKey: SecretKeys | null;
  /** `SERVICE_AUTH_VERIFICATION_KEY`: signs verification and reset links. */
  readonly verification: SecretKeys | null;
  /** `SERVICE_AUTH_ENCRYPTION_KEY`: encrypts secrets that must be readable later, such as TOTP secrets. */
  readonly encryption: SecretKeys | null;
}

export const jwtVariable = "SERVICE_AUTH_JWT_SECRET_KEY";

const variableNames: Readonly<Record<keyof Secrets, string>> = {
  jwt: jwtVariable,
  apiKey: "SERVICE_AUTH_API_KEY_SECRET",
  verification: "SERVICE_AUTH_VERIFICATION_KEY",
  encryption: "SERVICE_AUTH_ENCRYPTION_KEY",
};

function previousOf(name: string): string {
  return `${name}_PREVIOUS`;
}

/** Where messages about secrets go. */
interface SecretReport {
  /** Messages that prevent the start. */
  readonly problems: string[];
  readonly warnings: string[];
  /** In production, a short secret prevents the start. */
  readonly production: boolean;
}

/** Reads and checks the secrets. The JWT secret is null if it is not set. */
export function readSecrets(
  variables: Variables,
  report: SecretReport,
): Omit<Secrets, "jwt"> & { readonly jwt: SecretKeys | null } {
  const read = (secret: keyof Secrets) => readKeys(variableNames[secret], variables, report);
  return {
    jwt: read("jwt"),
    apiKey: read("apiKey"),
    verification: read("verification"),
    encryption: read("encryption"),
  };
}

function readKeys(
  name: string,
  variables: Variables,
  { problems, warnings, production }: SecretReport,
): SecretKeys | null {
  const text = variables[name] || null;
  checkSecret(name, text, production ? problems : warnings);
  const previous = variables[previousOf(name)] || null;
  if (previous === null) return text === null ? null : [secretKey(text)];
  checkSecret(previousOf(name), previous, problems);
  if (text === null) problems.push(`${previousOf(name)} is set, and ${name} is not`);
  if (text === previous)
    problems.push(`${previousOf(name)} has the value of ${name}: set the value before it, or remove it`);
  warnings.push(
    `${previousOf(name)} is set: what was made with this secret still works. Remove it when nothing needs it (kirak secrets check)`,
  );
  return text === null ? null : [secretKey(text), secretKey(previous)];
}

const minSecretBytes = 32;

/** A key shorter than the hash of HS256 can be guessed. */
export function checkSecret(name: string, secret: string | null, report: string[]): void {
  if (secret === null || Buffer.byteLength(secret) >= minSecretBytes) return;
  report.push(`${name} is too short: it needs at least ${minSecretBytes} bytes`);
}

export function secretKey(text: string): KeyObject {
  return createSecretKey(Buffer.from(text, "utf8"));
}

/** Makes a key of each key. */
export function mapKeys<From, To>(
  [current, ...previous]: SecretKeys<From>,
  make: (key: From) => To,
): SecretKeys<To> {
  return [make(current), ...previous.map(make)];
}
