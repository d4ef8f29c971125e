import type { Limit } from "../../vocabulary/limits.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import { defaults } from "../definition/defaults.ts";
import type {
  LimitDefinition,
  LimitOrigin,
  ModelDefinition,
  RateLimitsDefinition,
} from "../definition/definition.ts";
import type { RawManifest, RawRateLimit } from "../load/raw.ts";

/** Settles the limits of a model (contract: "Rate limiting (CRUD and auth)"). Its block has passed the checks. */
export function resolveLimits(raw: RawRateLimit | null, fallback: Limit): ModelDefinition["limits"] {
  const of = (operation: Operation) => limitOf(raw, operation, fallback);
  return {
    fetch: of("fetch"),
    search: of("search"),
    count: of("count"),
    exists: of("exists"),
    create: of("create"),
    update: of("update"),
    upsert: of("upsert"),
    delete: of("delete"),
    destroy: of("destroy"),
    restore: of("restore"),
  };
}

function limitOf(raw: RawRateLimit | null, operation: Operation, fallback: Limit): LimitDefinition {
  const entry = raw?.entries.get(operation);
  if (entry !== undefined) return resolved(entry, "entry");
  const rest = raw?.entries.get("default");
  if (rest !== undefined) return resolved(rest, "default");
  // `{}` and `{enabled: true}` say nothing.
  const flat = raw !== null && (raw.enabled === false || raw.maxRequests !== null);
  return flat ? resolved(raw, "model") : { origin: "manifest", limit: { ...fallback, per: "ip" } };
}

function resolved(
  { enabled, maxRequests, windowSeconds, per }: RawRateLimit,
  origin: LimitOrigin,
): LimitDefinition {
  if (enabled === false) return { origin, limit: null };
  if (maxRequests === null || windowSeconds === null)
    throw new Error("a rate limit is incomplete, yet passed the checks");
  return { origin, limit: { maxRequests, windowSeconds, per } };
}

/** The limits of the whole service, with the defaults of the contract. */
export function resolveRateLimits({ file, rateLimits }: RawManifest): RateLimitsDefinition {
  const { enabled, maxRequests, windowSeconds } = rateLimits;
  return {
    source: file,
    enabled: enabled?.value ?? true,
    default: {
      maxRequests: maxRequests?.value ?? defaults.limit.maxRequests,
      windowSeconds: windowSeconds?.value ?? defaults.limit.windowSeconds,
    },
    declared: [
      ...(maxRequests === null ? [] : ["default_max_requests" as const]),
      ...(windowSeconds === null ? [] : ["default_window_seconds" as const]),
    ],
  };
}
