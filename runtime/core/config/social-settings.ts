import { createPrivateKey, type KeyObject } from "node:crypto";
import type { SocialProvider } from "../../../vocabulary/social/provider.ts";
import {
  isLoopback,
  type SettingValues,
  secretsRequired,
  secretVariable,
  settingProblems,
} from "../../../vocabulary/social/provider-settings.ts";
import { providerNameProblem, providerRow } from "../../../vocabulary/social/providers.ts";
import type { Variables } from "./environment-variables.ts";
import type { Manifest } from "./manifest.ts";
import { secretKey } from "./secret-keys.ts";

/** A provider of social sign-in that the manifest declares. */
export interface DeclaredProvider {
  readonly name: string;
  /** The settings of the manifest, with the defaults of the provider table. */
  readonly settings: SettingValues;
  /** Secrets by setting: `client_secret`, `bot_token` and so on. Key objects are not printed in logs. */
  readonly secrets: Readonly<Record<string, KeyObject>>;
  /** The URL that the provider redirects to. */
  readonly callbackUrl: string;
}

/** The settings of social sign-in. */
export interface SocialSettings {
  readonly providers: readonly DeclaredProvider[];
  /** The domain of generated e-mail addresses, for providers that return none. */
  readonly placeholderDomain: string;
  /** Pages that a sign-in can redirect to. */
  readonly redirectUrls: readonly string[];
  /** Null: Apple's sign-in on the web is not available. */
  readonly appleWebCallbackUrl: string | null;
}

interface SocialManifest {
  readonly auth_prefix: string;
  readonly auth: Pick<
    Manifest["auth"],
    | "apple_web_callback_url"
    | "social"
    | "social_placeholder_domain"
    | "social_providers"
    | "social_redirect_urls"
  >;
}

interface SocialSource {
  readonly environment: Variables;
  readonly production: boolean;
  readonly baseUrl: string;
}

/**
 * Reads and checks the declared providers and their secrets. Adds errors to `problems`, and settings that can
 * be mistakes to `warnings`.
 */
export function readSocial(
  { auth, auth_prefix: prefix }: SocialManifest,
  source: SocialSource,
  problems: string[],
  warnings: string[],
): SocialSettings {
  const providers = auth.social_providers.flatMap((name) => {
    const row = providerRow(name);
    const wrong = providerNameProblem(name);
    if (row === undefined) {
      if (wrong !== null) problems.push(`auth.social_providers: ${wrong.message}: ${wrong.hint}`);
      return [];
    }
    if (row.warning !== undefined) warnings.push(`the provider "${name}" ${row.warning}`);
    const given = auth.social[name] ?? {};
    problems.push(...providerProblems(name, row, given, source));
    const callback = given["redirect_uri"] ?? `${source.baseUrl}${prefix}/${name}/callback`;
    warnings.push(...callbackWarnings(name, `${source.baseUrl}${prefix}`, String(callback)));
    const { secrets, missing } = readSecrets(name, row, source.environment);
    problems.push(...missing);
    warnings.push(...keyWarnings(name, row, secrets["client_secret"]));
    return [
      { name, settings: { ...row.settings?.defaults, ...given }, secrets, callbackUrl: String(callback) },
    ];
  });
  for (const name of Object.keys(auth.social))
    if (!auth.social_providers.includes(name))
      warnings.push(`auth.social.${name} has no effect: "${name}" is not in auth.social_providers`);
  return {
    providers,
    placeholderDomain: auth.social_placeholder_domain,
    redirectUrls: auth.social_redirect_urls,
    appleWebCallbackUrl: auth.apple_web_callback_url ?? null,
  };
}

function providerProblems(
  name: string,
  row: SocialProvider,
  given: SettingValues,
  { production }: SocialSource,
): string[] {
  const place = `auth.social.${name}`;
  const found = settingProblems(name, row, given).map(
    ({ message, hint }) => `${place}: ${message}${hint === null ? "" : `: ${hint}`}`,
  );
  if (!production) return found;
  // Another program of this machine must not handle accounts.
  const local = Object.entries(given).filter(
    ([, value]) =>
      typeof value === "string" &&
      URL.canParse(value) &&
      new URL(value).protocol === "http:" &&
      isLoopback(value),
  );
  return [
    ...found,
    ...local
      .filter(([setting]) => setting !== "redirect_uri")
      .map(([setting]) => `${place}.${setting} must be an https address with NODE_ENV=production`),
  ];
}

function readSecrets(name: string, row: SocialProvider, environment: Variables) {
  const secrets: Record<string, KeyObject> = {};
  const missing = secretsRequired(row).flatMap((choice) => {
    for (const setting of choice) {
      // In a variable, the line breaks of a key are written as `\n`.
      const text = (environment[secretVariable(name, setting)] ?? "").replaceAll("\\n", "\n").trim();
      if (text === "") continue;
      secrets[setting] = secretKey(text);
      return [];
    }
    const names = choice.map((setting) => secretVariable(name, setting)).join(" or ");
    return [`${names} is not set, and the provider "${name}" of auth.social_providers needs it`];
  });
  return { secrets, missing };
}

/** Browsers send the cookie of a sign-in only to the host that set it and its subdomains. */
function callbackWarnings(name: string, accounts: string, callback: string): string[] {
  if (!URL.canParse(accounts) || !URL.canParse(callback)) return [];
  const [own, other] = [new URL(accounts), new URL(callback)];
  const isBelow = other.hostname === own.hostname && other.pathname.startsWith(`${own.pathname}/`);
  if (isBelow && (own.protocol === "http:" || other.protocol === "https:")) return [];
  return [
    `auth.social.${name}.redirect_uri is not below ${accounts}: the cookie of a sign-in is not sent there, and no one can sign in on the web`,
  ];
}

/** Apps that only sign in on phones need no key, so they start without one. */
function keyWarnings(name: string, row: SocialProvider, secret: KeyObject | undefined): string[] {
  if (row.protocol !== "oidc" || row.signedSecret !== true || secret === undefined) return [];
  if (isEs256Key(secret)) return [];
  return [
    `${secretVariable(name, "client_secret")} is not a private key of ${row.title}: no one can sign in on the web`,
  ];
}

function isEs256Key(secret: KeyObject): boolean {
  try {
    return createPrivateKey(secret.export()).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
