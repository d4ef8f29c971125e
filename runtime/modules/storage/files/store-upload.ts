import { requireAllowedType } from "../content/allowed-types.ts";
import { fileNameOf } from "../keys/file-key.ts";
import { linkTo, type StorageServices } from "./storage-services.ts";
import { type FileToStore, storeFile, toStagedFile } from "./store-file.ts";

/** Stores a file of an allowed type, and returns its data. Errors: 409 and 415 `HTTP_ERROR`, `STORAGE_ERROR`. */
export async function storeUpload(services: StorageServices, upload: FileToStore) {
  const { key } = upload;
  const file = toStagedFile(upload);
  requireAllowedType(services.settings, file.mediaType);
  // Sign the link before the file is stored, because signing can fail.
  const url = await linkTo(services, key);
  await storeFile(services, { ...upload, file });
  return { url, filename: fileNameOf(key), size: file.size, mime_type: file.mediaType };
}
