import type { ThumbnailSize } from "../../../../vocabulary/storage.ts";
import { invalid } from "../../../core/errors/index.ts";
import {
  type ImageSize,
  rasterFormatOf,
  type StagedThumbnail,
  type ThumbnailOptions,
} from "../images/image-processor.ts";
import { discard } from "../incoming/receive-file.ts";
import { type ThumbnailKey, thumbnailKey } from "../keys/file-key.ts";
import type { StagedFile } from "../stores/file-store.ts";
import { linkTo, type StorageServices } from "./storage-services.ts";
import { type FileToStore, storeFile, toStagedFile } from "./store-file.ts";

export interface StoredThumbnail extends Omit<StagedThumbnail, "path"> {
  readonly key: ThumbnailKey;
  readonly url: string;
}

/** An image with its thumbnails, in the requested order. */
export interface StoredImage extends ImageSize {
  readonly file: StagedFile;
  readonly url: string;
  readonly thumbnails: readonly StoredThumbnail[];
}

/** Stores an image with its thumbnails. Errors: 400, 409 and 503 `HTTP_ERROR`, 500 `STORAGE_ERROR`. */
export async function storeImage(
  services: StorageServices,
  image: FileToStore,
  options: ThumbnailOptions,
): Promise<StoredImage> {
  const { key, overwrite } = image;
  const file = toStagedFile(image);
  const format = rasterFormatOf(file.mediaType);
  if (format === null)
    throw invalid([{ field: "file", message: "must be a JPEG, PNG, WebP, GIF, AVIF or TIFF picture" }]);
  const turn = { ...options, budget: services.images.startBudget() };
  const size = await services.images.inspect(file.path, format, turn);
  requireFewPixels(size, options.sizes, services.settings.maxPixels);
  const made = await services.images.thumbnails(file.path, format, turn);
  try {
    const toPut = made.map((one) => [thumbnailKey(key, one.name, one.extension), one] as const);
    // Sign the link before the file is stored, because signing can fail.
    const url = await linkTo(services, key);
    const thumbnails = await Promise.all(
      toPut.map(async ([key, one]) => ({ ...one, key, url: await linkTo(services, key) })),
    );
    await storeFile(services, { key, file, thumbnails: toPut, overwrite });
    return { file, url, ...size, thumbnails };
  } finally {
    await Promise.all(made.map(({ path }) => discard(path)));
  }
}

/** Refuses thumbnails with too many pixels in total. */
function requireFewPixels(
  { width, height }: ImageSize,
  sizes: readonly ThumbnailSize[],
  maxPixels: number,
): void {
  const pixels = sizes.map((size) => {
    const scale = Math.min(1, (size.width ?? width) / width, (size.height ?? height) / height);
    return Math.round(width * scale) * Math.round(height * scale);
  });
  if (pixels.reduce((sum, one) => sum + one, 0) > maxPixels)
    throw invalid([{ field: "thumbnails", message: `must have at most ${maxPixels} pixels in total` }]);
}
