import { requireAllowedType } from "../content/allowed-types.ts";
import { fileData, type StorageServices } from "./storage-services.ts";
import { type FileToStore, storeFile, toStagedFile } from "./store-file.ts";

/** Stores a file of an allowed type, and returns its data. Errors: 409 and 415 `HTTP_ERROR`, `STORAGE_ERROR`. */
export async function storeUpload(services: StorageServices, upload: FileToStore) {
  const file = toStagedFile(upload);
  requireAllowedType(services.settings, file.mediaType);
  const data = await fileData(services, upload.key, file);
  await storeFile(services, { ...upload, file });
  return data;
}
