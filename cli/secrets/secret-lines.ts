import { randomBytes } from "node:crypto";

/** The purpose of each secret. Secrets from third parties, such as Twilio or S3, are not in this list. */
const secrets = {
  SERVICE_AUTH_JWT_SECRET_KEY: "Signs access and refresh tokens.",
  SERVICE_AUTH_API_KEY_SECRET: "Hashes API keys.",
  SERVICE_AUTH_VERIFICATION_KEY: "Signs verification and reset links.",
  SERVICE_AUTH_ENCRYPTION_KEY: "Encrypts TOTP secrets.",
  SERVICE_SMS_WEBHOOK_SECRET: "Signs requests to sms.webhook_url; the receiver needs it too.",
  SERVICE_MONITORING_INGESTION_KEY: "Grants access to /monitoring, if the module is on.",
  SERVICE_MONITORING_LOG_SHIP_SECRET: "Sent to the log collector, which needs it too.",
  POSTGRES_PASSWORD: "Password of the database in compose.yaml, set when the database is created.",
} as const;

/** A variable with a secret that the user generates. */
export type SecretName = keyof typeof secrets;

function isSecretName(name: string): name is SecretName {
  return Object.hasOwn(secrets, name);
}

/** All secrets, in the order of the output. */
export const secretNames: readonly SecretName[] = Object.keys(secrets).filter(isSecretName);

/** `NAME=value` lines for `.env`, each with a comment. A value is 48 random bytes in base64url. */
export function secretLines(names: readonly SecretName[] = secretNames): string {
  return names
    .map((name) => `# ${secrets[name]}\n${name}=${randomBytes(48).toString("base64url")}\n`)
    .join("\n");
}
