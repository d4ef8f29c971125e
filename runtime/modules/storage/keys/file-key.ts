declare const kind: unique symbol;

/** The key of a file: segments with slashes between them, in NFC (docs/storage.md#paths). */
export type FileKey = string & { readonly [kind]: "file" };

const longestKeyBytes = 512;
/** As file systems have it. */
const longestSegmentBytes = 255;
/** Letters, marks and digits of any script, and of all other characters these. */
const characters = /^[\p{L}\p{M}\p{Nd}._ -]+$/u;

/** What may stand in a key, for messages. */
export const keyRules =
  "must be segments of letters, digits, blanks, '.', '_' and '-' with '/' between them, at most 512 bytes, none of which begins with a dot";

/** Reads a key as somebody sent it. Null for what is none. */
export function readFileKey(text: string): FileKey | null {
  const key = text.normalize("NFC");
  return isFileKey(key) ? key : null;
}

/** Whether a text, which must be in NFC, is a key as it stands. */
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

/**
 * Reads what keys may begin with, which may be empty and end anywhere. Null where no key begins so. It is in NFC: a text that ends
 * before a mark of its last letter stands for that letter alone.
 */
export function readKeyPrefix(text: string): string | null {
  const prefix = text.normalize("NFC");
  // What follows a slash, or nothing at all, may be any segment.
  return prefix === "" || isFileKey(prefix.endsWith("/") ? `${prefix}a` : prefix) ? prefix : null;
}

/** The last segment of a key. */
export function fileNameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

const unsafe = /[^\p{L}\p{M}\p{Nd}._ -]/gu;

/** A segment made of the name that a client gave its file, of which the last segment counts. Null where nothing is left. */
export function safeFileName(sent: string): string | null {
  const name = sent.normalize("NFC").replaceAll("\\", "/").split("/").at(-1) ?? "";
  const safe = name.replace(unsafe, "_").replace(/^\.+/, "_");
  return isFileKey(safe) ? safe : null;
}

/** A key in the path of a URL: each segment percent-encoded. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}

const surrogate = /[\ud800-\udfff]/;

/** Orders texts by their UTF-8 bytes, as lists of keys are. */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  // JavaScript goes by UTF-16, which differs where one character takes two units.
  if (surrogate.test(one) || surrogate.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}

/** The key of whatever a store holds: a file, or a thumbnail. */
export type StoredKey = FileKey | ThumbnailKey;

/** Reads the key of a file or of a thumbnail as somebody sent it. Null for what is neither. */
export function readStoredKey(sent: string): StoredKey | null {
  const text = sent.normalize("NFC");
  return isThumbnailKey(text) ? text : readFileKey(text);
}

/** The key of a thumbnail, beside its picture: `a/.thumbnails/b.jpg/<name>.<ext>` of `a/b.jpg` (docs/storage.md#thumbnails). */
export type ThumbnailKey = string & { readonly [kind]: "thumbnail" };

const pattern = /^(?<folder>(?:.+\/)?)\.thumbnails\/(?<file>[^/]+)\/[a-z0-9_-]{1,32}\.[a-z0-9]{1,8}$/;

/** The folder of a picture's thumbnails, with a slash at its end. */
export function thumbnailFolder(key: FileKey): string {
  const name = key.lastIndexOf("/") + 1;
  return `${key.slice(0, name)}.thumbnails/${key.slice(name)}/`;
}

/** The key of one of a picture's thumbnails. Throws where the name or the extension is none. */
export function thumbnailKey(key: FileKey, name: string, extension: string): ThumbnailKey {
  const text = `${thumbnailFolder(key)}${name}.${extension}`;
  if (!isThumbnailKey(text)) throw new Error(`${text} is no key of a thumbnail`);
  return text;
}

/** Whether a text, in NFC, is the key of a thumbnail. */
export function isThumbnailKey(text: string): text is ThumbnailKey {
  return pictureOf(text) !== null;
}

/** The key of the picture that a thumbnail belongs to. Null for what is no key of a thumbnail. */
export function pictureOf(text: string): FileKey | null {
  const { folder = "", file = "" } = pattern.exec(text)?.groups ?? {};
  const picture = folder + file;
  return isFileKey(picture) ? picture : null;
}
