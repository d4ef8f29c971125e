import type { KeyObject } from "node:crypto";
import { isAbsolute, join } from "node:path";
import type { CountedPer, Limit } from "../../../vocabulary/rate-limits.ts";
import {
  type StorageOperation,
  type StorageProvider,
  storageOperations,
  type ThumbnailSize,
} from "../../../vocabulary/storage.ts";
import type { Variables } from "./environment-variables.ts";
import { secretKey } from "./secret-keys.ts";

/** The section `storage` of the manifest, with its defaults (docs/storage.md). */
export interface StorageManifest {
  readonly provider: StorageProvider;
  readonly root: string;
  readonly bucket?: string;
  readonly region?: string;
  readonly endpoint?: string;
  readonly force_path_style: boolean;
  readonly slug: string;
  readonly max_file_size_bytes: number;
  readonly allowed_mime_types?: readonly string[];
  readonly url_ttl_seconds: number;
  readonly public_prefixes: readonly string[];
  readonly public_base_url?: string;
  readonly scope: "shared" | "user";
  readonly thumbnails: readonly ThumbnailSize[];
  readonly max_pixels: number;
  readonly resumable: boolean;
  readonly rate_limit?: RateLimitBlock;
}

interface FlatRateLimit {
  readonly enabled?: boolean;
  readonly max_requests?: number;
  readonly window_seconds?: number;
  readonly per?: CountedPer;
}

/** One limit for all operations, or one per operation with `default` for the others. */
type RateLimitBlock = FlatRateLimit & { readonly [Name in StorageOperation | "default"]?: FlatRateLimit };

/** The limit of one operation. */
export interface StorageLimit extends Limit {
  readonly per: CountedPer;
}

/** Files on the disk of the server. */
export interface LocalStorageSettings {
  readonly provider: "local";
  /** Absolute path. */
  readonly root: string;
}

/** Files in a bucket. */
export interface S3StorageSettings {
  readonly provider: "s3";
  readonly bucket: string;
  /** Null: the SDK finds it. */
  readonly region: string | null;
  /** Null: Amazon's. */
  readonly endpoint: string | null;
  readonly forcePathStyle: boolean;
  /** Null: the SDK finds them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: KeyObject } | null;
  /** Absolute path for uploads that are not sent yet. */
  readonly stagingFolder: string;
}

type StoreSettings = LocalStorageSettings | S3StorageSettings;

/** The settings of storage (docs/storage.md). */
export interface StorageSettings {
  readonly store: StoreSettings;
  readonly slug: string;
  readonly maxFileSizeBytes: number;
  /** `image/*` allows all images. Null: all types. */
  readonly allowedMediaTypes: readonly string[] | null;
  readonly urlTtlSeconds: number;
  /** Each ends with a slash. */
  readonly publicPrefixes: readonly string[];
  /** Without a slash at the end. Null: the URL of the store. */
  readonly publicBaseUrl: string | null;
  readonly scope: "shared" | "user";
  readonly thumbnails: readonly ThumbnailSize[];
  readonly maxPixels: number;
  /** Whether uploads by the tus protocol are served. */
  readonly resumable: boolean;
  /** An operation that is not listed has no limit. */
  readonly limits: { readonly [Operation in StorageOperation]?: StorageLimit };
}

interface StorageSource {
  readonly root: string;
  readonly environment: Variables;
}

/** Reads and checks the section. Null if the module is off. Adds errors to `problems`. */
export function readStorage(
  { modules, storage }: { readonly modules: readonly string[]; readonly storage: StorageManifest },
  source: StorageSource,
  problems: string[],
): StorageSettings | null {
  if (!modules.includes("storage")) return null;
  const names = storage.thumbnails.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.push(`storage.thumbnails: the name "${twice}" is used twice`);
  return {
    store: storeOf[storage.provider](storage, source, problems),
    slug: storage.slug,
    maxFileSizeBytes: storage.max_file_size_bytes,
    allowedMediaTypes: storage.allowed_mime_types ?? null,
    urlTtlSeconds: storage.url_ttl_seconds,
    publicPrefixes: storage.public_prefixes.map((prefix) => prefix.normalize("NFC")),
    publicBaseUrl: storage.public_base_url?.replace(/\/+$/, "") ?? null,
    scope: storage.scope,
    thumbnails: storage.thumbnails,
    maxPixels: storage.max_pixels,
    resumable: storage.resumable,
    limits: limitsOf(storage.rate_limit ?? {}, problems),
  };
}

const storeOf: {
  readonly [Name in StorageProvider]: (
    storage: StorageManifest,
    source: StorageSource,
    problems: string[],
  ) => Extract<StoreSettings, { readonly provider: Name }>;
} = { local: localOf, s3: s3Of };

function localOf({ root: folder }: StorageManifest, { root }: StorageSource): LocalStorageSettings {
  return { provider: "local", root: isAbsolute(folder) ? folder : join(root, folder) };
}

function s3Of(
  storage: StorageManifest,
  { root, environment }: StorageSource,
  problems: string[],
): S3StorageSettings {
  const { bucket = "", region = null, endpoint = null } = storage;
  if (bucket === "") problems.push('storage.bucket is missing, and storage.provider "s3" needs it');
  return {
    provider: "s3",
    bucket,
    region,
    endpoint,
    forcePathStyle: storage.force_path_style,
    credentials: credentialsOf(environment, problems),
    stagingFolder: join(root, "var", "kirak", "uploads"),
  };
}

function credentialsOf(environment: Variables, problems: string[]): S3StorageSettings["credentials"] {
  const [idVariable, secretVariable] = [
    "SERVICE_STORAGE_ACCESS_KEY_ID",
    "SERVICE_STORAGE_SECRET_ACCESS_KEY",
  ] as const;
  const [id, secret] = [environment[idVariable] || null, environment[secretVariable] || null];
  if (id !== null && secret !== null) return { accessKeyId: id, secretAccessKey: secretKey(secret) };
  const [there, missing] = id === null ? [secretVariable, idVariable] : [idVariable, secretVariable];
  if (id !== secret) problems.push(`${missing} is not set, and ${there} is`);
  return null;
}

/** The limits of a block, in both shapes (docs/rate-limits.md). */
function limitsOf(block: RateLimitBlock, problems: string[]): StorageSettings["limits"] {
  const entries = [...storageOperations, "default" as const].filter((name) => block[name] !== undefined);
  const flat = ["enabled", "max_requests", "window_seconds", "per"].filter((key) => key in block);
  if (entries.length > 0 && flat.length > 0)
    problems.push(`storage.rate_limit has ${flat.join(", ")} next to entries of operations`);
  // An empty block, or one with only `enabled`, sets no limit.
  const limit =
    entries.length > 0 || flat.every((key) => key === "enabled")
      ? null
      : limitOf("storage.rate_limit", block, problems);
  const read = new Map(
    entries.map((name) => [name, limitOf(`storage.rate_limit.${name}`, block[name] ?? {}, problems)]),
  );
  const limits = storageOperations.flatMap((operation) => {
    const own = read.get(read.has(operation) ? operation : "default") ?? limit;
    return own === null ? [] : [[operation, own] as const];
  });
  return Object.fromEntries(limits);
}

function limitOf(place: string, said: FlatRateLimit, problems: string[]): StorageLimit | null {
  const { enabled = true, max_requests: maxRequests, window_seconds: windowSeconds, per = "ip" } = said;
  if (!enabled) return null;
  if (maxRequests !== undefined && windowSeconds !== undefined) return { maxRequests, windowSeconds, per };
  const missing = Object.entries({ max_requests: maxRequests, window_seconds: windowSeconds });
  const names = missing.filter(([, value]) => value === undefined).map(([name]) => name);
  problems.push(`${place} lacks ${names.join(" and ")}`);
  return null;
}
