import { stat, writeFile } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import type { ThumbnailSize } from "../../../../vocabulary/storage.ts";
import { WorkQueue } from "../../../core/concurrency/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { discard, stagedMode, stagingPath } from "../incoming/receive-file.ts";
import { tooManyUploads } from "../incoming/upload-slots.ts";
import { storageError } from "../storage-error.ts";
import { withDiskTimeout } from "../stores/disk.ts";
import type { StagedFile } from "../stores/file-store.ts";

/** Half of libuv's four threads: the disk and password hashes need them, too. */
const atOnce = 2;
const mostWaiting = 64;

/** In pixels, in display orientation. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

export interface StagedThumbnail extends StagedFile, ImageSize {
  readonly name: string;
  readonly extension: string;
}

/** A caller in the queue. */
interface ImageCaller {
  /** Id of the user. */
  readonly user: string;
  /** An abort prevents further work and removes all results. */
  readonly signal: AbortSignal;
  /** Time budget of the image, if several calls share it. */
  readonly budget?: TimeBudget;
}

interface Picture extends ImageCaller {
  readonly open: OpenImage;
  readonly path: string;
  readonly budget: TimeBudget;
}

export interface ThumbnailOptions extends ImageCaller {
  readonly sizes: readonly ThumbnailSize[];
}

interface ImageProcessorOptions {
  /** The staging folder. */
  readonly folder: string;
  readonly maxPixels: number;
  /** Time limit per image. */
  readonly longestSeconds?: number;
}

type OpenImage = (path: string, options: SharpOptions) => Sharp;

/** Processes images with `sharp`, which loads on first use. All requests share it. */
export class ImageProcessor {
  readonly #folder: string;
  readonly #maxPixels: number;
  readonly #longestSeconds: number;
  readonly #queue = new WorkQueue(atOnce, { waiting: mostWaiting, whenFull: tooManyUploads });
  #open: Promise<OpenImage> | null = null;

  /** `folder` gets the thumbnails. */
  constructor({ folder, maxPixels, longestSeconds = 10 }: ImageProcessorOptions) {
    this.#folder = folder;
    this.#maxPixels = maxPixels;
    this.#longestSeconds = longestSeconds;
  }

  /** Starts the time budget of one image. */
  startBudget(): TimeBudget {
    return new TimeBudget(this.#longestSeconds);
  }

  /** Size of an image, from its header, in the queue. Errors: 400, 503 and the signal's reason. */
  async inspect(
    path: string,
    { source }: RasterFormat,
    { user, signal, budget = this.startBudget() }: ImageCaller,
  ): Promise<ImageSize> {
    const open = await this.#sharp();
    // Only the header is read, so the pixels can be damaged.
    const options: SharpOptions = { limitInputPixels: false, failOn: "none" };
    const read = () => budget.timed(() => open(path, options).metadata()).catch(() => null);
    const found = await this.#queue.run(read, signal, user);
    if (found === null || found.format !== source) throw invalidImage("is not a readable picture");
    if (found.width * found.height > this.#maxPixels)
      throw invalidImage(`has more than ${this.#maxPixels} pixels: ${found.width} by ${found.height}`);
    return found.autoOrient;
  }

  /** Makes all thumbnails in the order of `sizes`, or none. Errors: 400, 503 and the signal's reason. */
  async thumbnails(
    path: string,
    { thumbnail }: RasterFormat,
    { sizes, user, signal, budget = this.startBudget() }: ThumbnailOptions,
  ): Promise<readonly StagedThumbnail[]> {
    const picture = { open: await this.#sharp(), path, budget, user, signal };
    const made: StagedThumbnail[] = [];
    try {
      // Sequential, so that one image never takes all threads.
      for (const size of sizes) made.push(await this.#thumbnail(picture, thumbnail, size));
      signal.throwIfAborted();
      return made;
    } catch (error) {
      await Promise.all(made.map((one) => discard(one.path)));
      signal.throwIfAborted();
      throw await this.#diagnose(picture, error);
    }
  }

  async #thumbnail(
    picture: Picture,
    { format, extension, mediaType }: ThumbnailFormat,
    { name, width, height }: ThumbnailSize,
  ): Promise<StagedThumbnail> {
    const to = stagingPath(this.#folder);
    try {
      // `sharp` would make the file readable for all users of the machine.
      await withDiskTimeout(writeFile(to, "", { flag: "wx", mode: stagedMode }));
      const { width: w, height: h } = await this.#decode(picture, (image) =>
        image
          .autoOrient()
          .resize({ width, height, fit: "inside", withoutEnlargement: true })
          .toColourspace("srgb")
          .toFormat(format, outputOptions[format])
          .toFile(to),
      );
      const { size } = await withDiskTimeout(stat(to));
      return { name, extension, path: to, size, mediaType, width: w, height: h };
    } catch (error) {
      await discard(to);
      throw error;
    }
  }

  /** Decodes the image in memory. If that fails, the image is damaged; otherwise the disk failed. */
  async #diagnose(picture: Picture, error: unknown): Promise<ServiceError> {
    if (error instanceof ServiceError) return error;
    if (picture.budget.isLate(error)) return invalidImage("takes too long to decode");
    return this.#decode(picture, (image) => image.resize({ width: 1 }).raw().toBuffer()).then(
      () => storageError(error),
      (failure: unknown) =>
        failure instanceof ServiceError ? failure : invalidImage("is incomplete or damaged"),
    );
  }

  /** Runs in the queue. */
  #decode<Value>(
    { open, path, budget, user, signal }: Picture,
    read: (image: Sharp) => Promise<Value>,
  ): Promise<Value> {
    const options: SharpOptions = { limitInputPixels: this.#maxPixels, failOn: "error" };
    const timed = () => budget.timed((seconds) => read(open(path, options).timeout({ seconds })));
    return this.#queue.run(timed, signal, user);
  }

  #sharp(): Promise<OpenImage> {
    this.#open ??= loadSharp();
    return this.#open;
  }
}

const outputOptions = {
  jpeg: { quality: 80 },
  png: {},
  webp: { quality: 80 },
} as const;

async function loadSharp(): Promise<OpenImage> {
  const { default: sharp } = await import("sharp");
  // The cache uses file names as keys, and keeps memory and files open.
  sharp.cache(false);
  // The queue limits the concurrency.
  sharp.concurrency(1);
  return sharp;
}

function invalidImage(message: string): ServiceError {
  return invalid([{ field: "file", message }]);
}

/** Time budget of one image: some take hours to decode. Time in the queue does not count. */
class TimeBudget {
  #leftMs: number;

  constructor(longestSeconds: number) {
    this.#leftMs = longestSeconds * 1000;
  }

  /** Runs the work within the seconds that are left. */
  async timed<Value>(work: (seconds: number) => Promise<Value>): Promise<Value> {
    if (this.#leftMs <= 0) throw new Error("timeout");
    const begunAt = performance.now();
    try {
      return await work(Math.ceil(this.#leftMs / 1000));
    } finally {
      this.#leftMs -= performance.now() - begunAt;
    }
  }

  /** Whether `sharp` reports a timeout. */
  isLate(error: unknown): boolean {
    return error instanceof Error && error.message.startsWith("timeout");
  }
}

export interface RasterFormat {
  /** The format's name in `sharp`. */
  readonly source: "jpeg" | "png" | "webp" | "gif" | "heif" | "tiff";
  readonly thumbnail: ThumbnailFormat;
}

interface ThumbnailFormat {
  readonly format: "jpeg" | "png" | "webp";
  readonly extension: string;
  readonly mediaType: string;
}

const jpeg = { format: "jpeg", extension: "jpg", mediaType: "image/jpeg" } as const;
const png = { format: "png", extension: "png", mediaType: "image/png" } as const;
const webp = { format: "webp", extension: "webp", mediaType: "image/webp" } as const;

/** Readable images by media type (docs/storage.md#thumbnails). Encoding AVIF would take seconds. */
const formats: ReadonlyMap<string, RasterFormat> = new Map<string, RasterFormat>([
  ["image/jpeg", { source: "jpeg", thumbnail: jpeg }],
  ["image/png", { source: "png", thumbnail: png }],
  ["image/webp", { source: "webp", thumbnail: webp }],
  ["image/avif", { source: "heif", thumbnail: webp }],
  ["image/gif", { source: "gif", thumbnail: png }],
  ["image/tiff", { source: "tiff", thumbnail: png }],
]);

/** Null for other media types. */
export function rasterFormatOf(mediaType: string): RasterFormat | null {
  return formats.get(mediaType) ?? null;
}
