import { mediaTypeNamed } from "../content/media-type.ts";
import type { IncomingFile } from "../incoming/receive-file.ts";
import { type FileKey, fileNameOf } from "../keys/file-key.ts";
import type { StagedFile } from "../stores/file-store.ts";
import { type FileChange, storeForGood, storeForNow } from "./file-change.ts";
import type { StorageServices } from "./storage-services.ts";

/** A file that came in, and where it is to be. */
export interface FileToStore {
  readonly key: FileKey;
  readonly file: IncomingFile;
  readonly overwrite: boolean;
}

/** The file as it is under its key, whose name tells what a text is. */
export function staged({ key, file }: FileToStore): StagedFile {
  return { path: file.path, size: file.size, mediaType: mediaTypeNamed(file.kind, fileNameOf(key)) };
}

/** Stores a file that is no picture with thumbnails. Errors: 409 `HTTP_ERROR` for a key that is taken, 500 `STORAGE_ERROR`. */
export async function storeFile(services: StorageServices, file: FileToStore): Promise<StagedFile> {
  const stored = staged(file);
  await storeForGood(services, { key: file.key, file: stored, thumbnails: [], overwrite: file.overwrite });
  return stored;
}

/** Stores a file as `storeFile` does, in a way that can be undone, as in a transaction. */
export async function storeFileForNow(
  services: StorageServices,
  file: FileToStore,
): Promise<{ readonly file: StagedFile } & FileChange> {
  const stored = staged(file);
  const { key, overwrite } = file;
  return { file: stored, ...(await storeForNow(services, { key, file: stored, thumbnails: [], overwrite })) };
}
