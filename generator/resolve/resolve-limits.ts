import type { Operation } from "../../vocabulary/operations.ts";
import type { Limit } from "../../vocabulary/rate-limits.ts";
import { isStorageProvider, type StorageOperation, storageProviders } from "../../vocabulary/storage.ts";
import { defaults } from "../definition/defaults.ts";
import type {
  LimitDefinition,
  LimitOrigin,
  ModelDefinition,
  RateLimitsDefinition,
  StorageDefinition,
} from "../definition/definition.ts";
import type { RawManifest, RawRateLimit, RawStorage } from "../load/raw.ts";

/** Resolves the limits of a model. They have passed the checks. */
export function resolveLimits(raw: RawRateLimit | null, fallback: Limit): ModelDefinition["limits"] {
  const of = (operation: Operation) => limitOf(raw, operation, { ...fallback, per: "ip" });
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

function limitOf(
  raw: RawRateLimit | null,
  operation: Operation | StorageOperation,
  fallback: LimitDefinition["limit"],
): LimitDefinition {
  const entry = raw?.entries.get(operation);
  if (entry !== undefined) return resolved(entry, "entry");
  const rest = raw?.entries.get("default");
  if (rest !== undefined) return resolved(rest, "default");
  // `{}` and `{enabled: true}` set no limit.
  const flat = raw !== null && (raw.enabled === false || raw.maxRequests !== null);
  return flat ? resolved(raw, "model") : { origin: "manifest", limit: fallback };
}

/** Resolves the limit of a route. It has passed the checks. */
export function resolveRouteLimit(raw: RawRateLimit | null, fallback: Limit): LimitDefinition {
  if (raw === null) return { origin: "manifest", limit: { ...fallback, per: "ip" } };
  return resolved(raw, "entry");
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

/** Resolves the routes of the storage module. Null if it is off. Its limits have passed the checks. */
export function resolveStorage(raw: RawStorage): StorageDefinition | null {
  if (raw.enabled === null) return null;
  const { provider, slug, resumable, rateLimit } = raw;
  const of = (operation: StorageOperation) => limitOf(rateLimit, operation, null);
  const name = provider?.value ?? defaults.storageProvider;
  if (!isStorageProvider(name))
    throw new Error(`there is no storage provider ${name}, yet it passed the checks`);
  return {
    slug: slug?.value ?? defaults.storageSlug,
    servesFiles: storageProviders[name].servesFiles,
    resumable: resumable?.value ?? false,
    limits: {
      upload: of("upload"),
      delete: of("delete"),
      url: of("url"),
      list: of("list"),
      move: of("move"),
    },
  };
}

/** The limits of the whole service, with the built-in defaults. */
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
