import { stat, writeFile } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";
import type { ThumbnailSize } from "../../../vocabulary/storage.ts";
import { WorkQueue } from "../../concurrency/index.ts";
import { invalid, type ServiceError } from "../../errors/index.ts";
import { discard, stagingPath } from "../incoming/receive-file.ts";
import { stagedMode } from "../incoming/staged-writer.ts";
import { storageError } from "../storage-error.ts";
import { answered } from "../stores/disk.ts";
import type { StagedFile } from "../stores/file-store.ts";
import { PictureWork } from "./picture-work.ts";
import type { RasterFormat, ThumbnailFormat } from "./raster-format.ts";

/** Two of the four threads that the disk and passwords need, too. */
const atOnce = 2;

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

/** A picture that is being read. */
interface Picture {
  readonly open: OpenImage;
  readonly path: string;
  readonly work: PictureWork;
  readonly signal: AbortSignal;
}

export interface ThumbnailOptions {
  readonly sizes: readonly ThumbnailSize[];
  /** Where it aborts, nothing more is begun, and nothing is left of what was made. */
  readonly signal: AbortSignal;
}

type OpenImage = (path: string, options: SharpOptions) => Sharp;

/** Reads pictures by `sharp`, which is loaded with the first of them. All requests share it. */
export class ImageWorkshop {
  readonly #folder: string;
  readonly #maxPixels: number;
  readonly #queue = new WorkQueue(atOnce);
  #open: Promise<OpenImage> | null = null;

  /** Thumbnails come into the staging folder. */
  constructor({ folder, maxPixels }: { readonly folder: string; readonly maxPixels: number }) {
    this.#folder = folder;
    this.#maxPixels = maxPixels;
  }

  /** The size of a picture, of which only the beginning is read. Error: 400 for what is none, and for one of too many pixels. */
  async inspect(path: string, { source }: RasterFormat): Promise<ImageSize> {
    const open = await this.#sharp();
    // What is broken further on is of no concern here.
    const options: SharpOptions = { limitInputPixels: false, failOn: "none" };
    const found = await open(path, options)
      .metadata()
      .catch(() => null);
    if (found === null || found.format !== source) throw wrong("is no picture that can be read");
    if (found.width * found.height > this.#maxPixels)
      throw wrong(`has more than ${this.#maxPixels} pixels: ${found.width} by ${found.height}`);
    return found.autoOrient;
  }

  /**
   * Makes all thumbnails of a picture, in the order of the sizes, or none. Errors: 400 for one that cannot be read to its end, and the
   * signal's reason.
   */
  async thumbnails(
    path: string,
    { thumbnail }: RasterFormat,
    { sizes, signal }: ThumbnailOptions,
  ): Promise<readonly StagedThumbnail[]> {
    const work = new PictureWork();
    const picture = { open: await this.#sharp(), path, work, signal };
    const made = await Promise.all(
      sizes.map((size) => work.attempt(() => this.#thumbnail(picture, thumbnail, size))),
    );
    const thumbnails = made.filter((one) => one !== null);
    if (work.failure === null && !signal.aborted) return thumbnails;
    await Promise.all(thumbnails.map((one) => discard(one.path)));
    signal.throwIfAborted();
    throw await this.#whatFailed(picture, work.failure?.error);
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
    if (picture.work.isLate(error)) return wrong("takes too long to be read");
    const work = new PictureWork();
    return this.#reading({ ...picture, work }, (image) => image.resize({ width: 1 }).raw().toBuffer()).then(
      () => storageError(error),
      () => wrong("cannot be read to its end"),
    );
  }

  /** In its turn; not at all where something of the picture has failed. */
  #reading<Value>(
    { open, path, work, signal }: Picture,
    read: (image: Sharp) => Promise<Value>,
  ): Promise<Value> {
    const options: SharpOptions = { limitInputPixels: this.#maxPixels, failOn: "error" };
    const timed = () => work.timed((seconds) => read(open(path, options).timeout({ seconds })));
    return this.#queue.run(timed, signal);
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
  // As small as by default, in a tenth of the time.
  avif: { quality: 50, effort: 2 },
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
