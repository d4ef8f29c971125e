/** Operations of the storage module, as named in rate limits. */
export const storageOperations = ["upload", "delete", "url", "list", "move"] as const;

export type StorageOperation = (typeof storageOperations)[number];

/** Storage providers, and whether their links lead to the service. */
export const storageProviders = {
  local: { servesFiles: true },
  s3: { servesFiles: false },
} as const satisfies Readonly<Record<string, { readonly servesFiles: boolean }>>;

export type StorageProvider = keyof typeof storageProviders;

/** Whether a provider has this name. */
export function isStorageProvider(name: string): name is StorageProvider {
  return Object.hasOwn(storageProviders, name);
}

/** Bounding box of a thumbnail, in pixels. At least one side is set. */
export interface ThumbnailSize {
  readonly name: string;
  readonly width?: number;
  readonly height?: number;
}

/** Maximum number of thumbnails of one image. */
export const maxThumbnails = 10;

/** Limits of a thumbnail's name and of its sides in pixels. */
export const thumbnailBounds = { name: /^[a-z0-9_-]{1,32}$/, minSide: 1, maxSide: 4096 } as const;

/** Maximum and default number of files on a page. */
export const largestFilePage = 1_000;

/** Maximum number of files that a request deletes, thumbnails included: the limit of S3. */
export const mostRemovals = 1_000;

/** Lifetime of a signed link, in seconds. */
export const linkLifetime = { min: 1, max: 604_800 } as const;
