import type { ThumbnailSize } from "../../../../vocabulary/storage.ts";
import { invalid } from "../../../core/errors/index.ts";
import { type ImageSize, rasterFormatOf, type ThumbnailOptions } from "../images/image-processor.ts";
import { discard } from "../incoming/receive-file.ts";
import { type StoredKey, thumbnailKey } from "../keys/file-key.ts";
import type { StagedFile } from "../stores/file-store.ts";
import { fileData, type StorageServices } from "./storage-services.ts";
import { type FileToStore, storeFile, toStagedFile } from "./store-file.ts";

/**
 * Stores an image with its thumbnails, and returns their data, thumbnails in the requested order. Errors: 400, 409
 * and 503 `HTTP_ERROR`, 500 `STORAGE_ERROR`.
 */
export async function storeImage(services: StorageServices, image: FileToStore, options: ThumbnailOptions) {
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
    const toPut = made.map((one) => [thumbnailKey(key, `${one.name}.${one.extension}`), one] as const);
    const original = await imageData(services, key, { ...file, ...size });
    const thumbnails = await Promise.all(
      toPut.map(async ([key, one]) => ({ name: one.name, ...(await imageData(services, key, one)) })),
    );
    await storeFile(services, { key, file, thumbnails: toPut, overwrite });
    return { original, thumbnails };
  } finally {
    await Promise.all(made.map(({ path }) => discard(path)));
  }
}

async function imageData(services: StorageServices, path: StoredKey, image: StagedFile & ImageSize) {
  const { url, ...rest } = await fileData(services, path, image);
  return { url, path, ...rest, width: image.width, height: image.height };
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
