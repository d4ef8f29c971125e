import { type FileKey, isFileKey, readFileKey } from "./file-key.ts";

/** The key of whatever a store holds: a file, or a thumbnail. */
export type StoredKey = FileKey | ThumbnailKey;

/** Reads the key of a file or of a thumbnail as somebody sent it. Null for what is neither. */
export function readStoredKey(sent: string): StoredKey | null {
  const text = sent.normalize("NFC");
  return isThumbnailKey(text) ? text : readFileKey(text);
}

declare const kind: unique symbol;

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
