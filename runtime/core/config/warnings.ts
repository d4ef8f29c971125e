import type { AuthSettings } from "./auth-settings.ts";
import type { EmailSettings } from "./delivery.ts";
import type { Environment } from "./environment.ts";
import type { Variables } from "./environment-variables.ts";
import type { MonitoringSettings } from "./monitoring-settings.ts";
import { checkSecret, type Secrets } from "./secret-keys.ts";

interface CheckedSettings {
  readonly baseUrl: string;
  readonly email: Pick<EmailSettings, "provider">;
  readonly auth: Pick<AuthSettings, "emailVerificationRequired">;
  readonly monitoring: Pick<MonitoringSettings, "logs"> | null;
}

/** Warnings about settings that are valid but can be mistakes. */
export function settingsWarnings(
  environment: Environment,
  variables: Variables,
  { verification }: Pick<Secrets, "verification">,
  settings: CheckedSettings,
): string[] {
  return [
    ...fallbackWarnings(variables),
    ...mailWarnings(environment, verification, settings),
    ...localAddress(environment, settings),
    ...(settings.monitoring === null ? [] : monitoringWarnings(environment, variables, settings.monitoring)),
  ];
}

/**
 * Without a key, no one can read the records. A weak key is only a warning, since it does not prevent the
 * start.
 */
function monitoringWarnings(
  { production }: Environment,
  variables: Variables,
  { logs: { shipping } }: Pick<MonitoringSettings, "logs">,
): string[] {
  const name = "SERVICE_MONITORING_INGESTION_KEY";
  const key = variables[name] ?? "";
  const warnings: string[] = [];
  if (key === "")
    warnings.push(`${name} is not set, so no one can read /monitoring; npm run secrets creates it`);
  else if (/\s/.test(key))
    warnings.push(`${name} has a space, which a Bearer token cannot have: no one can read /monitoring`);
  else checkSecret(name, key, warnings);
  if (production && shipping?.secret != null && isPlain(shipping.url))
    warnings.push(
      "monitoring.log_ship_url does not use https: others on the network can read the logs and the secret",
    );
  return warnings;
}

/** Whether the connection leaves this machine unencrypted. */
function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isThisMachine(hostname);
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

const keyVariable = "SERVICE_AUTH_VERIFICATION_KEY";

const fallbacks = {
  SERVICE_AUTH_API_KEY_SECRET: "API keys are hashed with the JWT secret: changing it invalidates all of them",
  SERVICE_AUTH_ENCRYPTION_KEY:
    "TOTP secrets are encrypted with the JWT secret: changing it makes them unreadable",
} as const;

/** For keys that are not set, the JWT secret is used. */
function fallbackWarnings(variables: Variables): string[] {
  return Object.entries(fallbacks).flatMap(([name, consequence]) =>
    variables[name] ? [] : [`${name} is not set: ${consequence}`],
  );
}

/** Links in mails would lead to the reader's own machine, or to another program. */
function localAddress({ production, port }: Environment, { baseUrl }: CheckedSettings): string[] {
  const { hostname, port: named } = new URL(baseUrl);
  if (!isThisMachine(hostname)) return [];
  if (production)
    return [
      `base_url is ${baseUrl}: in production it must be the public address, because links in mails begin with it`,
    ];
  if (named === String(port) || port === 0) return [];
  return [
    `base_url is ${baseUrl}, but the service listens on port ${port}: links in mails and to files use base_url; set SERVICE_SET_BASE_URL`,
  ];
}

/** Users who register would wait for a mail that is never sent. */
function mailWarnings(
  { production }: Environment,
  key: Secrets["verification"],
  { email, auth }: CheckedSettings,
): string[] {
  const stranded = auth.emailVerificationRequired ? ", and users who register cannot sign in" : "";
  // Without a provider, mails are only expected if accounts must be verified.
  if (email.provider === null && stranded === "") return [];
  const provider = `put "email": { "provider": "${production ? "smtp" : "log"}" } into models/manifest.json`;
  const missing = [
    ...(email.provider === null ? [{ name: "email.provider", way: provider }] : []),
    ...(key === null ? [{ name: keyVariable, way: `npm run secrets creates ${keyVariable}` }] : []),
  ];
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name).join(" and ");
  const ways = missing.map(({ way }) => way).join("; ");
  const verb = missing.length === 1 ? "is" : "are";
  return [`${names} ${verb} not set: no mail for verification or reset is sent${stranded}; ${ways}`];
}
