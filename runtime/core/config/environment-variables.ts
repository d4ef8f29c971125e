import { createSecretKey, type KeyObject } from "node:crypto";
import { parseEnv } from "node:util";

/** The environment of the process. */
export type Variables = Readonly<Record<string, string | undefined>>;

const ofService = [
  "SERVICE_AUTH_API_KEY_SECRET",
  "SERVICE_AUTH_ENCRYPTION_KEY",
  "SERVICE_AUTH_JWT_SECRET_KEY",
  "SERVICE_AUTH_VERIFICATION_KEY",
  "SERVICE_DATABASE_DIRECT_URL",
  "SERVICE_DATABASE_NAMED_STATEMENTS",
  "SERVICE_DATABASE_POOL_SIZE",
  "SERVICE_DATABASE_URL",
  "SERVICE_LOG_FORMAT",
  "SERVICE_MIGRATE_ON_START",
  "SERVICE_MONITORING_INGESTION_KEY",
  "SERVICE_MONITORING_LOG_SHIP_SECRET",
  "SERVICE_REDIS_URL",
  "SERVICE_SMS_WEBHOOK_SECRET",
  "SERVICE_SMTP_URL",
  "SERVICE_STORAGE_ACCESS_KEY_ID",
  "SERVICE_STORAGE_SECRET_ACCESS_KEY",
  "SERVICE_TWILIO_ACCOUNT_SID",
  "SERVICE_TWILIO_AUTH_TOKEN",
];

/** The PostgreSQL for the tests of an app. The server does not read it. */
export const testDatabaseVariable = "SERVICE_TEST_DATABASE_URL";

/** Variables of other programs: `npm run create-admin` and `kirak/testing`. */
const ofOtherPrograms = ["SERVICE_ADMIN_EMAIL", "SERVICE_ADMIN_PASSWORD", testDatabaseVariable];

/** All variables that the service or its commands read. */
export const knownVariables: readonly string[] = [...ofService, ...ofOtherPrograms].sort();

/** Keys of the service. Null if the variable is not set. */
export interface Secrets {
  /** `SERVICE_AUTH_JWT_SECRET_KEY`: signs access and refresh tokens. */
  readonly jwt: KeyObject;
  /** `SERVICE_AUTH_API_KEY_SECRET`: hashes API keys. */
  readonly apiKey: KeyObject | null;
  /** `SERVICE_AUTH_VERIFICATION_KEY`: signs verification and reset links. */
  readonly verification: KeyObject | null;
  /** `SERVICE_AUTH_ENCRYPTION_KEY`: encrypts secrets that must be readable later, such as TOTP secrets. */
  readonly encryption: KeyObject | null;
}

const minSecretBytes = 32;

/** Reads the keys other than the JWT secret. Adds keys that are too short to `report`. */
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

/** A key shorter than the hash of HS256 can be guessed. */
export function checkSecret(name: string, secret: string | null, report: string[]): void {
  if (secret === null || Buffer.byteLength(secret) >= minSecretBytes) return;
  report.push(`${name} is too short: it needs at least ${minSecretBytes} bytes`);
}

export function secretKey(text: string): KeyObject {
  return createSecretKey(Buffer.from(text, "utf8"));
}

/** Parses a `.env` file. Removes the byte order mark that editors on Windows add. */
export function parseEnvFile(text: string): NodeJS.Dict<string> {
  return parseEnv(text.replace(/^\ufeff/, ""));
}
