import type { ServerResponse } from "node:http";
import { maxThumbnails, type ThumbnailSize, thumbnailBounds } from "../../../../vocabulary/storage.ts";
import { invalid, type ServiceError } from "../../../core/errors/index.ts";
import { requireAllowedType } from "../content/allowed-types.ts";
import { toStagedFile } from "../files/store-file.ts";
import { storeImage } from "../files/store-image.ts";
import { requestAborted } from "./pipe-body.ts";
import type { StorageRoute } from "./storage-route.ts";
import { receiveForm } from "./upload-form.ts";

/** POST /storage/upload/image: stores an image with optional thumbnails (docs/storage.md#thumbnails). */
export const uploadImage: StorageRoute = {
  parameters: [],
  run: async (call) => {
    const { services, user, response } = call;
    const signal = clientSignal(response);
    let sizes: readonly ThumbnailSize[] | null = null;
    const thumbnails = (value: string) => {
      sizes = readThumbnailSizes(value, services.settings.thumbnails);
    };
    return receiveForm(call, { thumbnails }, async (form) => {
      requireAllowedType(services.settings, toStagedFile(form).mediaType);
      const { original, thumbnails } = await storeImage(services, form, { sizes: sizes ?? [], user, signal });
      const data = sizes === null ? { original } : { original, thumbnails };
      return { message: "image uploaded", data: JSON.stringify(data) };
    });
  },
};

/** A signal that aborts when the client disconnects, so that queued work does not start. */
function clientSignal(response: ServerResponse): AbortSignal {
  const client = new AbortController();
  const leave = () => {
    if (!response.writableFinished) client.abort(requestAborted());
  };
  if (response.destroyed) leave();
  else response.once("close", leave);
  return client.signal;
}

const field = "thumbnails";
const { name: namePattern, minSide, maxSide } = thumbnailBounds;

/** Reads the field `thumbnails`: null if it is missing. Error: 400 (docs/storage.md#thumbnails). */
function readThumbnailSizes(
  text: string,
  configured: readonly ThumbnailSize[],
): readonly ThumbnailSize[] | null {
  if (text === "true") return configured;
  if (text === "false") return null;
  const list = parse(text);
  if (!Array.isArray(list)) throw wrong("must be true, false or a JSON array");
  if (list.length > maxThumbnails) throw wrong(`has more than ${maxThumbnails} entries`);
  const sizes = list.map(readSize);
  const names = new Set(sizes.map(({ name }) => name));
  if (names.size < sizes.length) throw wrong("uses a name twice");
  return sizes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readSize(entry: unknown): ThumbnailSize {
  if (typeof entry !== "object" || entry === null) throw wrong("must be an array of objects");
  const unknown = Object.keys(entry).find((key) => !["name", "width", "height"].includes(key));
  if (unknown !== undefined) throw wrong(`has an entry with a key other than name, width and height`);
  const { name, width, height }: { name?: unknown; width?: unknown; height?: unknown } = entry;
  if (typeof name !== "string" || !namePattern.test(name))
    throw wrong("must have names of a to z, 0 to 9, _ and -");
  if (width === undefined && height === undefined) throw wrong(`must have a width or a height for ${name}`);
  return {
    name,
    ...(width !== undefined && { width: readSide(width) }),
    ...(height !== undefined && { height: readSide(height) }),
  };
}

function readSide(side: unknown): number {
  if (typeof side === "number" && Number.isInteger(side) && side >= minSide && side <= maxSide) return side;
  throw wrong(`must have widths and heights from ${minSide} to ${maxSide}`);
}

function wrong(message: string): ServiceError {
  return invalid([{ field, message }]);
}
