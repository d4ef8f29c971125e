/** Files: uploads, thumbnails, links, on disk and on S3. */
export { createStorage, type Storage, type StorageOptions } from "./create-storage.ts";
export { purgeStorage } from "./purge-storage.ts";
