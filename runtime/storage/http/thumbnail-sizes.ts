import { mostThumbnails, type ThumbnailSize, thumbnailBounds } from "../../../vocabulary/storage.ts";
import { invalid, type ServiceError } from "../../errors/index.ts";

const field = "thumbnails";
const { name: namePattern, minSide, maxSide } = thumbnailBounds;

/** Reads the field `thumbnails`: null for none. Error: 400 (docs/storage.md#thumbnails). */
export function readThumbnailSizes(
  text: string,
  configured: readonly ThumbnailSize[],
): readonly ThumbnailSize[] | null {
  if (text === "true") return configured;
  if (text === "false") return null;
  const list = parse(text);
  if (!Array.isArray(list)) throw wrong("must be true, false or a JSON array");
  if (list.length > mostThumbnails) throw wrong(`has more than ${mostThumbnails} entries`);
  const sizes = list.map(readSize);
  const names = new Set(sizes.map(({ name }) => name));
  if (names.size < sizes.length) throw wrong("has a name twice");
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
  if (typeof entry !== "object" || entry === null) throw wrong("must have objects as entries");
  const unknown = Object.keys(entry).find((key) => !["name", "width", "height"].includes(key));
  if (unknown !== undefined) throw wrong(`has entries with something else than name, width and height`);
  const { name, width, height }: { name?: unknown; width?: unknown; height?: unknown } = entry;
  if (typeof name !== "string" || !namePattern.test(name))
    throw wrong("needs names of a to z, 0 to 9, _ and -");
  if (width === undefined && height === undefined) throw wrong(`has neither width nor height for ${name}`);
  return {
    name,
    ...(width !== undefined && { width: readSide(width) }),
    ...(height !== undefined && { height: readSide(height) }),
  };
}

function readSide(side: unknown): number {
  if (typeof side === "number" && Number.isInteger(side) && side >= minSide && side <= maxSide) return side;
  throw wrong(`needs sides from ${minSide} to ${maxSide}`);
}

function wrong(message: string): ServiceError {
  return invalid([{ field, message }]);
}
