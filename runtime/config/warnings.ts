import type { AuthSettings } from "./auth-settings.ts";
import type { EmailSettings } from "./delivery.ts";
import type { Environment } from "./environment.ts";
import type { Variables } from "./environment-variables.ts";
import type { Secrets } from "./secrets.ts";

interface Settled {
  readonly baseUrl: string;
  readonly email: Pick<EmailSettings, "provider">;
  readonly auth: Pick<AuthSettings, "emailVerificationRequired">;
}

/** What a start should say of settings that work, and may not be meant. */
export function settingsWarnings(
  environment: Environment,
  variables: Variables,
  { verification }: Pick<Secrets, "verification">,
  settled: Settled,
): string[] {
  return [
    ...fallbackWarnings(variables),
    ...mailWarnings(environment, verification, settled),
    ...localAddress(environment, settled),
  ];
}

const keyVariable = "SERVICE_AUTH_VERIFICATION_KEY";

const fallbacks = {
  SERVICE_AUTH_API_KEY_SECRET:
    "API keys are hashed with the JWT secret, and whoever changes that one invalidates them all",
  SERVICE_AUTH_ENCRYPTION_KEY:
    "TOTP secrets are encrypted with the JWT secret, and whoever changes that one makes them unreadable",
} as const;

/** What the operator should know of keys that are unset, and for which the JWT secret stands in. */
function fallbackWarnings(variables: Variables): string[] {
  return Object.entries(fallbacks).flatMap(([name, consequence]) =>
    variables[name] ? [] : [`${name} is not set: ${consequence}`],
  );
}

/** Links in mails would lead each reader to a machine of their own, or a developer to another program. */
function localAddress({ production, port }: Environment, { baseUrl }: Settled): string[] {
  const { hostname, port: named } = new URL(baseUrl);
  if (!/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return [];
  if (production)
    return [
      `base_url is ${baseUrl}: in production it must be the address that people reach, since links in mails begin with it`,
    ];
  if (named === String(port) || port === 0) return [];
  return [
    `base_url is ${baseUrl}, and the service listens on port ${port}: links in mails and to files lead there; SERVICE_SET_BASE_URL sets another one`,
  ];
}

/** No mail can leave: whoever registers would wait for one, and nothing else says so. */
function mailWarnings(
  { production }: Environment,
  key: Secrets["verification"],
  { email, auth }: Settled,
): string[] {
  const stranded = auth.emailVerificationRequired ? ", and whoever registers cannot sign in" : "";
  // Without a provider nobody expects mails, unless accounts are of no use before one.
  if (email.provider === null && stranded === "") return [];
  const provider = `put "email": { "provider": "${production ? "smtp" : "log"}" } into models/manifest.json`;
  const missing = [
    ...(email.provider === null ? [{ name: "email.provider", way: provider }] : []),
    ...(key === null ? [{ name: keyVariable, way: `npm run secrets makes ${keyVariable}` }] : []),
  ];
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name).join(" and ");
  const ways = missing.map(({ way }) => way).join("; ");
  const verb = missing.length === 1 ? "is" : "are";
  return [`${names} ${verb} not set: no mail for verification or reset is sent${stranded}; ${ways}`];
}
