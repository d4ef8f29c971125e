/** The environment of the process. */
export type Variables = Readonly<Record<string, string | undefined>>;

const effective = [
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

/** Names a PostgreSQL for the tests of an app; the server does not read it. */
export const testDatabaseVariable = "SERVICE_TEST_DATABASE_URL";

/** Variables of what stands beside the server: `npm run create-admin`, and `kirak/testing`. */
const ofOthers = ["SERVICE_ADMIN_EMAIL", "SERVICE_ADMIN_PASSWORD", testDatabaseVariable];

/** All variables of ours that the service or one of its commands knows. */
export const knownVariables: readonly string[] = [...effective, ...ofOthers].sort();
