/** What the storage module does for callers, as its limits name it. */
export const storageOperations = ["upload", "delete", "url", "list"] as const;

export type StorageOperation = (typeof storageOperations)[number];

/** Where files are kept, and whether the service itself sends them to anyone who has a link. */
export const storageProviders = {
  local: { servesFiles: true },
  s3: { servesFiles: false },
} as const satisfies Readonly<Record<string, { readonly servesFiles: boolean }>>;

export type StorageProvider = keyof typeof storageProviders;

/** Whether a provider has this name. */
export function isStorageProvider(name: string): name is StorageProvider {
  return Object.hasOwn(storageProviders, name);
}

/** A box that a picture is made to fit, in pixels; one side may be missing. */
export interface ThumbnailSize {
  readonly name: string;
  readonly width?: number;
  readonly height?: number;
}

/** Most thumbnails of one picture. */
export const mostThumbnails = 10;

/** Bounds of what a thumbnail is asked to be: its name, and a side in pixels. */
export const thumbnailBounds = { name: /^[a-z0-9_-]{1,32}$/, minSide: 1, maxSide: 4096 } as const;

/** Seconds that a signed link may last. */
export const linkLifetime = { min: 1, max: 604_800 } as const;
