import { posix } from "node:path";
import { errorsFile } from "../../vocabulary/models-folder.ts";
import type { CountedPer } from "../../vocabulary/rate-limits.ts";
import { type JsonNode, plainValue } from "./json-tree.ts";
import type {
  RawError,
  RawManifest,
  RawProviderSettings,
  RawRateLimit,
  RawRateLimits,
  RawStorage,
} from "./raw.ts";
import { child, type Located, membersOf, readBoolean, readNumber, readString, readStrings } from "./read.ts";
import { keySpans } from "./read-field.ts";
import { readLintIgnore } from "./read-lint-ignore.ts";

/** Reads the part of the manifest that the generator needs. The server reads the other settings when it starts. */
export function readRawManifest(file: string, root: JsonNode): RawManifest {
  const auth = (key: string) => child(child(root, "auth"), key);
  return {
    file,
    name: readString(child(root, "name")),
    rateLimits: readRateLimits(child(root, "rate_limit")),
    trustedProxies: readStrings(child(child(root, "rate_limit"), "trusted_proxy_ips")),
    serviceSchema: readString(child(root, "service_schema")),
    servicePrefix: readString(child(root, "service_prefix")),
    authPrefix: readString(child(root, "auth_prefix")),
    storage: readStorage(root),
    monitoring: moduleOf(root, "monitoring") !== null,
    mcp: moduleOf(root, "mcp"),
    allowOriginRegex: readString(child(child(root, "cors"), "allow_origin_regex")),
    origins: readStrings(child(child(root, "cors"), "origins")),
    cookieName: readString(auth("cookie_name")),
    refreshCookieName: readString(auth("refresh_cookie_name")),
    bcryptCost: readNumber(auth("bcrypt_cost")),
    socialProviders: readStrings(auth("social_providers")),
    selfService: auth("self_service") === undefined ? null : readStrings(auth("self_service")),
    emailCodes: readBoolean(auth("email_codes")),
    passkeys: readPasskeys(auth("passkeys")),
    baseUrl: readString(child(root, "base_url")),
    administration: readBoolean(auth("administration")),
    social: readSocial(auth("social")),
    kysely: readBoolean(child(child(root, "typescript"), "kysely")),
    docs: readDocs(child(root, "docs")),
    lintIgnore: readLintIgnore(root),
  };
}

function readPasskeys(node: JsonNode | undefined): RawManifest["passkeys"] {
  if (node === undefined || (node.kind !== "object" && readBoolean(node)?.value !== true)) return null;
  const origins = readStrings(child(node, "origins")).map(({ value }) => value);
  const texts = {
    rp_id: readString(child(node, "rp_id"))?.value,
    rp_name: readString(child(node, "rp_name"))?.value,
  };
  const given = Object.entries(texts).filter(([, value]) => value !== undefined);
  return {
    value: { ...Object.fromEntries(given), ...(origins.length > 0 && { origins }) },
    at: node.at,
  };
}

function readDocs(node: JsonNode | undefined): RawManifest["docs"] {
  const text = (key: string) => readString(child(node, key));
  return {
    path: text("path"),
    title: text("title"),
    version: text("version"),
    description: text("description"),
  };
}

function readSocial(node: JsonNode | undefined): RawProviderSettings[] {
  return [...membersOf(node)].map(([name, { key, value }]) => ({
    name: { value: name, at: key },
    settings: new Map(
      [...membersOf(value)].map(([setting, member]) => [
        setting,
        { value: plainValue(member.value), at: member.key },
      ]),
    ),
  }));
}

/** The entry of a module in `modules`; null if it is off. */
function moduleOf(root: JsonNode, name: string): Located<string> | null {
  return readStrings(child(root, "modules")).find(({ value }) => value === name) ?? null;
}

function readStorage(root: JsonNode): RawStorage {
  const section = child(root, "storage");
  return {
    enabled: moduleOf(root, "storage"),
    provider: readString(child(section, "provider")),
    slug: readString(child(section, "slug")),
    scope: readString(child(section, "scope")),
    resumable: readBoolean(child(section, "resumable")),
    rateLimit: readRateLimit(child(section, "rate_limit")),
  };
}

function readRateLimits(node: JsonNode | undefined): RawRateLimits {
  return {
    enabled: readBoolean(child(node, "enabled")),
    maxRequests: readNumber(child(node, "default_max_requests")),
    windowSeconds: readNumber(child(node, "default_window_seconds")),
  };
}

/** The path of custom errors, next to the models file. */
export function errorsPath(models: string): string {
  return posix.join(posix.dirname(models), errorsFile);
}

/** Reads custom errors. Skips values of a wrong shape: the shape check reports them. */
export function readErrors(root: JsonNode): RawError[] {
  return [...membersOf(root)].flatMap(([name, { key, value }]) => {
    const status = readNumber(child(value, "status"));
    const description = readString(child(value, "description"));
    if (name === "$schema" || value.kind !== "object") return [];
    return [
      {
        code: { value: name, at: key },
        status: status?.value ?? 0,
        description: description?.value ?? "",
      },
    ];
  });
}

/** Reads a `rate_limit` with its entries; null if it does not exist. */
export function readRateLimit(node: JsonNode | undefined): RawRateLimit | null {
  if (node?.kind !== "object") return null;
  const entries = [...node.members].flatMap(([key, member]) => {
    const entry = readRateLimit(member.value);
    return entry === null ? [] : [[key, entry] as const];
  });
  return {
    at: node.at,
    enabled: readBoolean(child(node, "enabled"))?.value ?? null,
    maxRequests: readNumber(child(node, "max_requests"))?.value ?? null,
    windowSeconds: readNumber(child(node, "window_seconds"))?.value ?? null,
    per: readPer(readString(child(node, "per"))?.value),
    keys: keySpans(node),
    entries: new Map(entries),
  };
}

function readPer(text: string | undefined): CountedPer {
  return text === "user" || text === "model" ? text : "ip";
}
