import type { JsonNode } from "./json-tree.ts";
import type { RawManifest, RawRateLimits } from "./raw.ts";
import { child, readBoolean, readNumber, readString, readStrings } from "./read.ts";
import { readLintIgnore } from "./read-lint-ignore.ts";

/** Reads what the generator needs of the manifest. The rest is settings, which the server reads at start. */
export function readManifest(file: string, root: JsonNode): RawManifest {
  return {
    file,
    name: readString(child(root, "name")),
    rateLimits: readRateLimits(child(root, "rate_limit")),
    trustedProxies: readStrings(child(child(root, "rate_limit"), "trusted_proxy_ips")),
    servicePrefix: readString(child(root, "service_prefix")),
    authPrefix: readString(child(root, "auth_prefix")),
    storageSlug: readString(child(child(root, "storage"), "slug")),
    allowOriginRegex: readString(child(child(root, "cors"), "allow_origin_regex")),
    origins: readStrings(child(child(root, "cors"), "origins")),
    cookieName: readString(child(child(root, "auth"), "cookie_name")),
    bcryptCost: readNumber(child(child(root, "auth"), "bcrypt_cost")),
    lintIgnore: readLintIgnore(root),
  };
}

function readRateLimits(node: JsonNode | undefined): RawRateLimits {
  return {
    enabled: readBoolean(child(node, "enabled")),
    maxRequests: readNumber(child(node, "default_max_requests")),
    windowSeconds: readNumber(child(node, "default_window_seconds")),
  };
}
