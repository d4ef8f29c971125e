/** Files: uploads, thumbnails, links, on disk and on S3. */
export { createStorage, purgeStorage, type Storage, type StorageOptions } from "./create-storage.ts";
