import { parseEnv } from "node:util";

/** The environment of the process. */
export type Variables = Readonly<Record<string, string | undefined>>;

const ofService = [
  "SERVICE_AUTH_API_KEY_SECRET",
  "SERVICE_AUTH_API_KEY_SECRET_PREVIOUS",
  "SERVICE_AUTH_ENCRYPTION_KEY",
  "SERVICE_AUTH_ENCRYPTION_KEY_PREVIOUS",
  "SERVICE_AUTH_JWT_SECRET_KEY",
  "SERVICE_AUTH_JWT_SECRET_KEY_PREVIOUS",
  "SERVICE_AUTH_VERIFICATION_KEY",
  "SERVICE_AUTH_VERIFICATION_KEY_PREVIOUS",
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

/** Parses a `.env` file. Removes the byte order mark that editors on Windows add. */
export function parseEnvFile(text: string): NodeJS.Dict<string> {
  return parseEnv(text.replace(/^\ufeff/, ""));
}
