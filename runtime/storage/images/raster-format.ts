/** How a picture is read, and what its thumbnails are. */
export interface RasterFormat {
  /** As `sharp` says what it found. */
  readonly source: "jpeg" | "png" | "webp" | "gif" | "heif" | "tiff";
  readonly thumbnail: ThumbnailFormat;
}

export interface ThumbnailFormat {
  readonly format: "jpeg" | "png" | "webp";
  readonly extension: string;
  readonly mediaType: string;
}

const jpeg = { format: "jpeg", extension: "jpg", mediaType: "image/jpeg" } as const;
const png = { format: "png", extension: "png", mediaType: "image/png" } as const;
const webp = { format: "webp", extension: "webp", mediaType: "image/webp" } as const;

/** The pictures that can be read, by their media types (docs/storage.md#thumbnails). To encode AVIF takes seconds. */
const formats: ReadonlyMap<string, RasterFormat> = new Map<string, RasterFormat>([
  ["image/jpeg", { source: "jpeg", thumbnail: jpeg }],
  ["image/png", { source: "png", thumbnail: png }],
  ["image/webp", { source: "webp", thumbnail: webp }],
  ["image/avif", { source: "heif", thumbnail: webp }],
  ["image/gif", { source: "gif", thumbnail: png }],
  ["image/tiff", { source: "tiff", thumbnail: png }],
]);

/** Null for what is no such picture. */
export function rasterFormatOf(mediaType: string): RasterFormat | null {
  return formats.get(mediaType) ?? null;
}
