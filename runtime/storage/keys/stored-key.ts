import { type FileKey, readFileKey } from "./file-key.ts";
import { isThumbnailKey, type ThumbnailKey } from "./thumbnail-key.ts";

/** The key of whatever a store holds: a file, or a thumbnail. */
export type StoredKey = FileKey | ThumbnailKey;

/** Reads the key of a file or of a thumbnail as somebody sent it. Null for what is neither. */
export function readStoredKey(sent: string): StoredKey | null {
  const text = sent.normalize("NFC");
  return isThumbnailKey(text) ? text : readFileKey(text);
}
