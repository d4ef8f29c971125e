import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject } from "ajv";
import schema from "../../../schemas/manifest.schema.json" with { type: "json" };
import type { SelfServicePart } from "../../../vocabulary/account-features.ts";
import { browserOrigin, isAddressOrRange } from "../../../vocabulary/addresses.ts";
import { suggestion } from "../../../vocabulary/nearest.ts";
import type { PasskeySection } from "../../../vocabulary/passkeys.ts";
import { secretHint } from "../../../vocabulary/social/providers.ts";
import { linearRegExp } from "../text/index.ts";
import type { DocsManifest } from "./docs-settings.ts";
import type { McpManifest } from "./mcp-settings.ts";
import type { MonitoringManifest } from "./monitoring-settings.ts";
import { applySettings, type Setting, settingAt } from "./settings.ts";
import type { StorageManifest } from "./storage-settings.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** A section without a type in the runtime. It is checked too. */
export type Section = Readonly<Record<string, unknown>>;

/** `models/manifest.json` with its defaults. */
export interface Manifest {
  readonly name: string;
  readonly base_url?: string;
  readonly service_prefix: string;
  readonly auth_prefix: string;
  readonly modules: readonly string[];
  readonly server: {
    readonly body_limit_bytes: number;
    readonly bulk_limit: number;
    readonly max_event_loop_delay_ms: number;
    readonly shutdown_timeout_seconds: number;
    readonly drain_seconds?: number;
    readonly log_level: LogLevel;
  };
  readonly cors: { readonly origins: readonly string[]; readonly allow_origin_regex?: string };
  readonly auth: {
    readonly access_token_expire_minutes?: number;
    readonly access_token_expire_hours: number;
    readonly refresh_token_expire_days: number;
    readonly password_complexity: boolean;
    readonly refuse_common_passwords: boolean;
    readonly bcrypt_cost: number;
    readonly email_verification_required: boolean;
    readonly forgot_password_page_url?: string;
    readonly change_email_page_url?: string;
    readonly registration: boolean;
    readonly security_notices: boolean;
    readonly administration: boolean;
    readonly invitation_days: number;
    readonly invitation_page_url?: string;
    readonly self_service: readonly SelfServicePart[];
    readonly email_codes: boolean;
    readonly passkeys?: boolean | PasskeySection;
    readonly reauthentication_minutes: number;
    readonly session_max_days?: number;
    readonly session_addresses: boolean;
    readonly cookie_name?: string;
    readonly cookie_domain?: string;
    readonly refresh_cookie_name?: string;
    readonly apple_web_callback_url?: string;
    readonly social_providers: readonly string[];
    readonly social: Readonly<Record<string, Section>>;
    readonly social_placeholder_domain: string;
    readonly social_redirect_urls: readonly string[];
  };
  readonly rate_limit: {
    readonly enabled: boolean;
    readonly default_max_requests: number;
    readonly default_window_seconds: number;
    readonly trusted_proxy_ips: readonly string[];
    readonly ipv6_prefix: number;
  };
  readonly graphql: {
    readonly max_depth: number;
    readonly max_root_fields: number;
    readonly max_complexity: number;
  };
  readonly jobs: {
    readonly concurrency: number;
  };
  readonly docs: DocsManifest;
  readonly mcp: McpManifest;
  readonly monitoring: MonitoringManifest;
  readonly storage: StorageManifest;
  readonly email: {
    readonly provider?: "smtp" | "log";
    readonly from?: string;
    readonly reply_to?: string;
    readonly max_per_second?: number;
    readonly hourly_limit_per_recipient: number;
  };
  readonly sms: {
    readonly provider?: "twilio" | "webhook" | "log";
    readonly webhook_url?: string;
    readonly from?: string;
    readonly max_per_second?: number;
    readonly hourly_limit_per_address: number;
  };
  readonly typescript?: { readonly kysely: boolean };
}

const sections = [
  "server",
  "cors",
  "auth",
  "rate_limit",
  "graphql",
  "jobs",
  "docs",
  "mcp",
  "monitoring",
  "storage",
  "email",
  "sms",
];
/** Compiled at each start, so a test checks the schema itself. */
const check = new Ajv({
  ...{ allErrors: true, useDefaults: true, verbose: true, allowUnionTypes: true },
  ...{ meta: false, validateSchema: false, strict: false, code: { optimize: false } },
}).compile<Manifest>(schema);

export interface ManifestSource {
  readonly path: string;
  /** The path for messages. */
  readonly label: string;
  /** Values from the environment, which replace those of the file. */
  readonly settings: readonly Setting[];
}

/** Reads and checks the manifest. On errors, adds them to `problems` and returns null. */
export function readManifest(source: ManifestSource, problems: string[]): Manifest | null {
  const content = parse(source, problems);
  if (content === null) return null;
  // The defaults of a section's keys apply only if the section exists.
  for (const section of sections) content[section] ??= {};
  applySettings(content, source.settings);
  if (!check(content)) {
    problems.push(...(check.errors ?? []).filter(isCause).map((error) => describe(error, source)));
    return null;
  }
  const regex = content.cors.allow_origin_regex;
  if (regex !== undefined && !isRegex(regex)) {
    const place = "cors.allow_origin_regex";
    problems.push(`${labelOf(place, source)}: ${place} is not a regular expression in RE2 syntax`);
    return null;
  }
  const origin = content.cors.origins.find((text) => browserOrigin(text) === null);
  if (origin !== undefined) {
    const place = "cors.origins";
    problems.push(
      `${labelOf(place, source)}: ${place} holds ${JSON.stringify(origin)}, which is not an origin, such as "https://www.example.com"; cors.allow_origin_regex takes patterns`,
    );
    return null;
  }
  const proxy = content.rate_limit.trusted_proxy_ips.find((text) => !isAddressOrRange(text));
  if (proxy !== undefined) {
    const place = "rate_limit.trusted_proxy_ips";
    const hint = 'such as "10.0.0.1", "10.0.0.0/8" or "fd00::/8"';
    problems.push(
      `${labelOf(place, source)}: ${place} holds ${JSON.stringify(proxy)}, not an address ${hint}`,
    );
    return null;
  }
  return content;
}

/** The source of a value: the name of its variable, or of the file. */
export function labelOf(place: string, { label, settings }: Omit<ManifestSource, "path">): string {
  return settingAt(place, settings)?.variable ?? label;
}

function parse({ path, label }: ManifestSource, problems: string[]): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isObject(content)) return content;
    problems.push(`${label} must hold a JSON object`);
  } catch (error) {
    problems.push(`${label} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `propertyNames` only repeats another error. */
function isCause(error: ErrorObject): boolean {
  return error.keyword !== "propertyNames";
}

function describe(error: ErrorObject, source: ManifestSource): string {
  const place = error.instancePath.slice(1).replaceAll("/", ".");
  const unknownKey: unknown = error.params["additionalProperty"];
  if (typeof unknownKey === "string") {
    const known = Object.keys(error.parentSchema?.["properties"] ?? {});
    const key = `${place === "" ? "" : `${place}.`}${unknownKey}`;
    return `${labelOf(key, source)}: unknown key "${key}"${suggestion(unknownKey, known)}`;
  }
  const asJson = error.keyword === "type" && settingAt(place, source.settings)?.isText === true;
  const form = asJson ? `, written as JSON${exampleOf(error)}` : "";
  const subject = place === "" ? "the manifest" : place;
  return `${labelOf(place, source)}: ${subject} ${requirementOf(error)}${form}`;
}

function exampleOf({ parentSchema }: ErrorObject): string {
  const [example]: unknown[] = parentSchema?.["examples"] ?? [];
  return example === undefined ? "" : `, such as ${JSON.stringify(example)}`;
}

function requirementOf(error: ErrorObject): string {
  const { keyword, params, message } = error;
  switch (keyword) {
    case "not":
      return notASetting(error);
    case "enum":
      return `must be one of ${[params["allowedValues"]].flat().join(", ")}`;
    case "pattern":
      return `must match ${params["pattern"]}${exampleOf(error)}`;
    case "minimum":
      return `must be at least ${params["limit"]}`;
    case "maximum":
      return `must be at most ${params["limit"]}`;
    default:
      return message ?? "is not valid";
  }
}

function notASetting({ instancePath, propertyName = "" }: ErrorObject): string {
  const hint = secretHint(instancePath.split("/").at(-1) ?? "", propertyName);
  return `holds the secret "${propertyName}": ${hint}`;
}

function isRegex(text: string): boolean {
  try {
    linearRegExp(text);
    return true;
  } catch {
    return false;
  }
}
