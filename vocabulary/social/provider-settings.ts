import { isJsonObject } from "../json.ts";
import { didYouMean } from "../nearest.ts";
import type { SocialProvider } from "./provider.ts";
import { identityProvidersProblem } from "./saml-settings.ts";

/** The settings of a provider in the manifest: `auth.social.<provider>`. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** An error in the settings of a provider. */
export interface SettingProblem {
  readonly kind: "unknown" | "invalid" | "missing";
  /** Null if it is missing. */
  readonly setting: string | null;
  readonly message: string;
  readonly hint: string | null;
}

/** Names of secrets, for any provider. Secrets are only in the environment. */
export const secretSettings: ReadonlySet<string> = new Set([
  "secret",
  "client_secret",
  "client_assertion",
  "sp_private_key",
  "bot_token",
  "api_key",
]);

/** Returns the environment variable of a secret, such as `SOCIAL_AUTH_OIDC_ACME_SECRET`. */
export function secretVariable(provider: string, setting: string): string {
  const name = setting === "client_secret" ? "secret" : setting;
  return `SOCIAL_AUTH_${provider.replaceAll(/[-:]/g, "_").toUpperCase()}_${name.toUpperCase()}`;
}

const codeFlow = [
  "scope",
  "ignore_default_scope",
  "auth_extra_arguments",
  "authorization_url",
  "access_token_url",
];

/** Returns the settings that the row's protocol and calls read. `row.settings` lists the others. */
function protocolSettings(row: SocialProvider): readonly string[] {
  const calls = [
    ...("profile" in row && row.profile !== undefined ? ["userinfo_url"] : []),
    ...("details" in row && row.details !== undefined ? ["profile_url"] : []),
    ...("emails" in row && row.emails !== undefined ? ["email_url"] : []),
    ...("idToken" in row && row.idToken !== undefined ? ["jwks_uri", "id_token_issuer"] : []),
  ];
  switch (row.protocol) {
    case "oauth2":
      return [...codeFlow, ...(row.pkce === false ? [] : ["pkce"]), ...calls];
    case "oidc": {
      const addresses = ["oidc_endpoint", "userinfo_url", "jwks_uri", "id_token_issuer"];
      const allowed = Object.values(row.allowed ?? {});
      return [...codeFlow, ...(row.pkce === false ? [] : ["pkce"]), ...addresses, ...allowed];
    }
    case "oauth1":
      return ["auth_extra_arguments", "authorization_url", "access_token_url", "request_token_url", ...calls];
    case "openid2":
      return ["openid_url", ...calls];
    case "custom":
      return [
        ...(row.authorize === undefined ? [] : ["authorization_url"]),
        ...(row.token === undefined ? [] : ["access_token_url"]),
        ...(row.request === undefined ? [] : ["request_token_url"]),
        ...calls,
      ];
    case "saml":
      return [];
  }
}

/** The credentials of the app at the provider. OpenID 2.0 has none. */
function credentialsOf({ app, protocol }: SocialProvider): "both" | "id" | "secret" | "none" {
  return app ?? (protocol === "openid2" ? "none" : "both");
}

function hasId(row: SocialProvider): boolean {
  return ["both", "id"].includes(credentialsOf(row));
}

/** Returns the settings that a provider reads from the manifest. */
export function settingsRead(row: SocialProvider): readonly string[] {
  const { optional = [], defaults = {} } = row.settings ?? {};
  const listed = [...optional, ...Object.keys(defaults)];
  return [
    ...new Set([...settingsRequired(row), "redirect_uri", "title", ...listed, ...protocolSettings(row)]),
  ];
}

/** Returns the settings that a provider requires. */
export function settingsRequired(row: SocialProvider): readonly string[] {
  const { required = [], defaults = {} } = row.settings ?? {};
  const inIssuer =
    row.protocol === "oidc" ? [...row.issuer.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name) : [];
  const needed = inIssuer.filter((name) => !Object.hasOwn(defaults, name));
  return [...(hasId(row) ? ["client_id"] : []), ...required, ...needed];
}

/** Returns the required secrets of a provider. Each list has alternatives, the preferred one first. */
export function secretsRequired(row: SocialProvider): readonly (readonly string[])[] {
  const secrets = row.settings?.secrets ?? [];
  const main = ["both", "secret"].includes(credentialsOf(row)) ? [["client_secret"]] : [];
  // A signed assertion replaces a secret (Microsoft).
  if (secrets.includes("client_assertion")) return [["client_secret", "client_assertion"]];
  return [...main, ...secrets.map((secret) => [secret])];
}

const addresses = new Set([
  "authorization_url",
  "access_token_url",
  "request_token_url",
  "userinfo_url",
  "profile_url",
  "email_url",
  "oidc_endpoint",
  "jwks_uri",
  "debug_token_url",
  "openid_url",
  "url",
  "api_url",
  "base_url",
  "pool_domain",
  "osso_base_url",
  "server_url",
  "mediawiki_url",
  "callback",
]);
const lists = new Set(["scope", "audience", "allowed_hosts", "allowed_entitlements", "allow_groups"]);
const switches = new Set(["ignore_default_scope", "pkce", "appsecret_proof"]);
const objects = new Set(["auth_extra_arguments", "org_info", "technical_contact", "support_contact"]);
/** Settings that become a part of a URL: a host, or a segment of the path. */
const addressParts = new Set([
  "domain",
  "host",
  "authority_host",
  "tenant_name",
  "tenant_id",
  "policy",
  "slug",
  "name",
  "id",
  "api_version",
]);

/** Returns the error of a setting's value, or null. */
function valueError(row: SocialProvider, setting: string, value: unknown): string | null {
  const choices = row.settings?.choices?.[setting];
  if (choices !== undefined) {
    const names = Object.keys(choices);
    return typeof value === "string" && names.includes(value) ? null : `must be one of ${names.join(", ")}`;
  }
  if (lists.has(setting))
    return Array.isArray(value) && value.every(isText) ? null : "must be a list of texts";
  if (switches.has(setting)) return typeof value === "boolean" ? null : "must be true or false";
  if (setting === "auth_extra_arguments")
    return isJsonObject(value) && Object.values(value).every((one) => typeof one === "string")
      ? null
      : "must be an object of texts";
  if (setting === "enabled_idps") return identityProvidersProblem(value, isProviderAddress);
  if (setting === "callback" && value === "oob")
    return "must be the registered address: oob has no state, so an attacker could sign another user in";
  if (objects.has(setting)) return isJsonObject(value) ? null : "must be an object";
  if (!isText(value)) return "must be a text";
  const beginning = row.settings?.beginsWith?.[setting] ?? "";
  if (!value.toLowerCase().startsWith(beginning)) return `must begin with "${beginning}"`;
  if (addresses.has(setting))
    return isProviderAddress(value) ? null : "must be an https address (http only for loopback addresses)";
  if (addressParts.has(setting))
    return /^(https:\/\/)?[A-Za-z0-9][A-Za-z0-9._:-]*\/*$/.test(value)
      ? null
      : "must be a part of a URL: letters, digits, dots and hyphens";
  return null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\p{Cc}/u.test(value);
}

/**
 * Whether a URL is valid for a provider: https, or http for a loopback address. It has no user and no
 * fragment.
 */
export function isProviderAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  if (username !== "" || password !== "" || hash !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(text));
}

/** Whether the host of a URL is a loopback address. */
export function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(address).hostname);
}

/** Returns the errors in the settings of a declared provider, except those of secrets. */
export function settingProblems(name: string, row: SocialProvider, values: SettingValues): SettingProblem[] {
  const known = settingsRead(row);
  const missing = settingsRequired(row).filter((setting) => !(setting in values));
  return [
    ...Object.entries(values).flatMap(([setting, value]): SettingProblem[] => {
      // The schema check of the manifest reports secrets.
      if (secretSettings.has(setting)) return [];
      if (!known.includes(setting)) {
        const message = `"${name}" has no setting "${setting}"`;
        const hint = didYouMean(setting, known) ?? `it reads ${known.join(", ")}`;
        return [{ kind: "unknown", setting, message, hint }];
      }
      const error = valueError(row, setting, value);
      return error === null
        ? []
        : [{ kind: "invalid", setting, message: `"${setting}" of "${name}" ${error}`, hint: null }];
    }),
    ...missing.map((setting) => ({
      kind: "missing" as const,
      setting: null,
      message: `"${name}" needs the setting "${setting}"`,
      hint: `set auth.social.${name}.${setting}`,
    })),
  ];
}
