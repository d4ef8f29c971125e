declare const kind: unique symbol;

/** The key of a file: segments with slashes between them, in NFC (docs/storage.md#paths). */
export type FileKey = string & { readonly [kind]: "file" };

const longestKeyBytes = 512;
/** The limit of file systems. */
const longestSegmentBytes = 255;
/** Letters, marks and digits of any script, and these other characters. */
const characters = /^[\p{L}\p{M}\p{Nd}._ -]+$/u;

/** Allowed characters, for messages. */
export const keyRules =
  "must be segments of letters, digits, spaces, '.', '_' and '-', separated by '/'; at most 512 bytes; no segment begins with a dot";

/** Parses a caller's key. Null if it is invalid. */
export function readFileKey(text: string): FileKey | null {
  const key = text.normalize("NFC");
  return isFileKey(key) ? key : null;
}

/** Whether a string is a valid key in NFC. */
export function isFileKey(text: string): text is FileKey {
  return (
    Buffer.byteLength(text) <= longestKeyBytes &&
    text.normalize("NFC") === text &&
    text.split("/").every(isSegment)
  );
}

function isSegment(text: string): boolean {
  return !text.startsWith(".") && characters.test(text) && Buffer.byteLength(text) <= longestSegmentBytes;
}

/** Parses a key prefix, possibly empty, and returns it in NFC. Null if it is invalid. */
export function readKeyPrefix(text: string): string | null {
  const prefix = text.normalize("NFC");
  // Any segment can follow a slash or an empty prefix.
  return prefix === "" || isFileKey(prefix.endsWith("/") ? `${prefix}a` : prefix) ? prefix : null;
}

/** The last segment of a key. */
export function fileNameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

const unsafe = /[^\p{L}\p{M}\p{Nd}._ -]/gu;

/** A valid segment from a client's file name, without its folders. Null if no character is left. */
export function safeFileName(sent: string): string | null {
  const name = sent.normalize("NFC").replaceAll("\\", "/").split("/").at(-1) ?? "";
  const safe = name.replace(unsafe, "_").replace(/^\.+/, "_");
  return isFileKey(safe) ? safe : null;
}

/** A key as a URL path, with each segment percent-encoded. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}

const surrogate = /[\ud800-\udfff]/;

/** Compares by UTF-8 bytes, the order of key lists. */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  // JavaScript compares UTF-16 units, which differs for surrogate pairs.
  if (surrogate.test(one) || surrogate.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}

/** The key of a file or a thumbnail. */
export type StoredKey = FileKey | ThumbnailKey;

/** Parses a caller's key of a file or a thumbnail. Null if it is invalid. */
export function readStoredKey(sent: string): StoredKey | null {
  const text = sent.normalize("NFC");
  return isThumbnailKey(text) ? text : readFileKey(text);
}

/** `a/.thumbnails/b.jpg/<name>.<ext>` for the image `a/b.jpg` (docs/storage.md#thumbnails). */
export type ThumbnailKey = string & { readonly [kind]: "thumbnail" };

const pattern = /^(?<folder>(?:.+\/)?)\.thumbnails\/(?<file>[^/]+)\/[a-z0-9_-]{1,32}\.[a-z0-9]{1,8}$/;

/** Folder of an image's thumbnails, with a trailing slash. */
export function thumbnailFolder(key: FileKey): string {
  const name = key.lastIndexOf("/") + 1;
  return `${key.slice(0, name)}.thumbnails/${key.slice(name)}/`;
}

/** Key of an image's thumbnail with a file name. Throws for an invalid name. */
export function thumbnailKey(key: FileKey, fileName: string): ThumbnailKey {
  const text = thumbnailFolder(key) + fileName;
  if (!isThumbnailKey(text)) throw new Error(`${text} is not a key of a thumbnail`);
  return text;
}

/** Whether a string is the key of a thumbnail, in NFC. */
export function isThumbnailKey(text: string): text is ThumbnailKey {
  return imageKeyOf(text) !== null;
}

/** Whether a string is a key of a file, or with `withThumbnails` of a thumbnail. */
export function isListedKey(text: string, withThumbnails: boolean): text is StoredKey {
  return isFileKey(text) || (withThumbnails && isThumbnailKey(text));
}

/** Whether a folder, which ends with a slash, can hold such keys. */
export function canHoldKeys(folder: string, withThumbnails: boolean): boolean {
  return ["a", "a.b", "a/a.b"].some((rest) => isListedKey(folder + rest, withThumbnails));
}

/** The image's key of a thumbnail's key. Null for other keys. */
export function imageKeyOf(text: string): FileKey | null {
  const { folder = "", file = "" } = pattern.exec(text)?.groups ?? {};
  const picture = folder + file;
  return isFileKey(picture) ? picture : null;
}
