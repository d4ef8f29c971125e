import { stat, writeFile } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import type { ThumbnailSize } from "../../../../vocabulary/storage.ts";
import { WorkQueue } from "../../../core/concurrency/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { discard, stagedMode, stagingPath } from "../incoming/receive-file.ts";
import { busy } from "../incoming/upload-slots.ts";
import { storageError } from "../storage-error.ts";
import { answered } from "../stores/disk.ts";
import type { StagedFile } from "../stores/file-store.ts";

/** Two of the four threads that the disk and passwords need, too. */
const atOnce = 2;
const mostWaiting = 64;

/** In pixels, as it is shown upright. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A thumbnail in the staging folder. */
export interface StagedThumbnail extends StagedFile, ImageSize {
  readonly name: string;
  readonly extension: string;
}

/** Whose turn work takes. */
interface Turn {
  /** Id of the user. */
  readonly user: string;
  /** Where it aborts, nothing more is begun, and nothing is left of what was made. */
  readonly signal: AbortSignal;
  /** Of the picture, where several calls share its time. */
  readonly work?: PictureWork;
}

/** A picture that is being read. */
interface Picture extends Turn {
  readonly open: OpenImage;
  readonly path: string;
  readonly work: PictureWork;
}

export interface ThumbnailOptions extends Turn {
  readonly sizes: readonly ThumbnailSize[];
}

interface ImageWorkshopOptions {
  /** The staging folder. */
  readonly folder: string;
  readonly maxPixels: number;
  /** How long the service works on one picture. */
  readonly longestSeconds?: number;
}

type OpenImage = (path: string, options: SharpOptions) => Sharp;

/** Reads pictures by `sharp`, which is loaded with the first of them. All requests share it. */
export class ImageWorkshop {
  readonly #folder: string;
  readonly #maxPixels: number;
  readonly #longestSeconds: number;
  readonly #queue = new WorkQueue(atOnce, { waiting: mostWaiting, whenFull: busy });
  #open: Promise<OpenImage> | null = null;

  /** Thumbnails come into the staging folder. */
  constructor({ folder, maxPixels, longestSeconds = 10 }: ImageWorkshopOptions) {
    this.#folder = folder;
    this.#maxPixels = maxPixels;
    this.#longestSeconds = longestSeconds;
  }

  /** The time for one picture. */
  begin(): PictureWork {
    return new PictureWork(this.#longestSeconds);
  }

  /**
   * The size of a picture, of which no pixel is read. In its turn: some files are made so that this takes seconds. Errors: 400 for what is
   * none and for one of too many pixels, 503 where too many pictures wait, and the signal's reason.
   */
  async inspect(
    path: string,
    { source }: RasterFormat,
    { user, signal, work = this.begin() }: Turn,
  ): Promise<ImageSize> {
    const open = await this.#sharp();
    // What is broken further on is of no concern here.
    const options: SharpOptions = { limitInputPixels: false, failOn: "none" };
    const read = () => work.timed(() => open(path, options).metadata()).catch(() => null);
    const found = await this.#queue.run(read, signal, user);
    if (found === null || found.format !== source) throw wrong("is no picture that can be read");
    if (found.width * found.height > this.#maxPixels)
      throw wrong(`has more than ${this.#maxPixels} pixels: ${found.width} by ${found.height}`);
    return found.autoOrient;
  }

  /**
   * Makes all thumbnails of a picture, in the order of the sizes, or none. Errors: 400 for one that cannot be read to its end or takes
   * too long, 503 where too many pictures wait, and the signal's reason.
   */
  async thumbnails(
    path: string,
    { thumbnail }: RasterFormat,
    { sizes, user, signal, work = this.begin() }: ThumbnailOptions,
  ): Promise<readonly StagedThumbnail[]> {
    const picture = { open: await this.#sharp(), path, work, user, signal };
    const made: StagedThumbnail[] = [];
    try {
      // One after the other: a picture never takes all threads.
      for (const size of sizes) made.push(await this.#thumbnail(picture, thumbnail, size));
      signal.throwIfAborted();
      return made;
    } catch (error) {
      await Promise.all(made.map((one) => discard(one.path)));
      signal.throwIfAborted();
      throw await this.#whatFailed(picture, error);
    }
  }

  async #thumbnail(
    picture: Picture,
    { format, extension, mediaType }: ThumbnailFormat,
    { name, width, height }: ThumbnailSize,
  ): Promise<StagedThumbnail> {
    const to = stagingPath(this.#folder);
    try {
      // `sharp` would make it readable for everybody on this machine.
      await answered(writeFile(to, "", { flag: "wx", mode: stagedMode }));
      const { width: w, height: h } = await this.#reading(picture, (image) =>
        image
          .autoOrient()
          .resize({ width, height, fit: "inside", withoutEnlargement: true })
          .toColourspace("srgb")
          .toFormat(format, outputOptions[format])
          .toFile(to),
      );
      const { size } = await answered(stat(to));
      return { name, extension, path: to, size, mediaType, width: w, height: h };
    } catch (error) {
      await discard(to);
      throw error;
    }
  }

  /** The picture, if it cannot be read without being written either; else the disk. */
  async #whatFailed(picture: Picture, error: unknown): Promise<ServiceError> {
    if (error instanceof ServiceError) return error;
    if (picture.work.isLate(error)) return wrong("takes too long to be read");
    return this.#reading(picture, (image) => image.resize({ width: 1 }).raw().toBuffer()).then(
      () => storageError(error),
      (failure: unknown) => (failure instanceof ServiceError ? failure : wrong("cannot be read to its end")),
    );
  }

  /** In its turn. */
  #reading<Value>(
    { open, path, work, user, signal }: Picture,
    read: (image: Sharp) => Promise<Value>,
  ): Promise<Value> {
    const options: SharpOptions = { limitInputPixels: this.#maxPixels, failOn: "error" };
    const timed = () => work.timed((seconds) => read(open(path, options).timeout({ seconds })));
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
  // It goes by names, and holds on to memory and to files.
  sharp.cache(false);
  // The queue is what bounds the work.
  sharp.concurrency(1);
  return sharp;
}

function wrong(message: string): ServiceError {
  return invalid([{ field: "file", message }]);
}

/** How long the service works on one picture, which bounds pictures that are made to take hours. Time in the queue does not count. */
class PictureWork {
  #leftMs: number;

  constructor(longestSeconds: number) {
    this.#leftMs = longestSeconds * 1000;
  }

  /** Does work within the seconds that are left. */
  async timed<Value>(work: (seconds: number) => Promise<Value>): Promise<Value> {
    if (this.#leftMs <= 0) throw new Error("timeout");
    const begunAt = performance.now();
    try {
      return await work(Math.ceil(this.#leftMs / 1000));
    } finally {
      this.#leftMs -= performance.now() - begunAt;
    }
  }

  /** Whether work failed because it took too long, in the words of `sharp`. */
  isLate(error: unknown): boolean {
    return error instanceof Error && error.message.startsWith("timeout");
  }
}

/** How a picture is read, and what its thumbnails are. */
export interface RasterFormat {
  /** As `sharp` says what it found. */
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
