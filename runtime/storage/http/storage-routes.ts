import { deleteFile } from "./delete-file.ts";
import { fileUrl } from "./file-url.ts";
import { listFilesRoute } from "./list-files-route.ts";
import type { StorageRoute } from "./storage-route.ts";
import { uploadFile } from "./upload-file.ts";
import { uploadImage } from "./upload-image.ts";

/** Routes of files, by their paths below the slug (contract: "Storage"). */
export const storageRoutes: ReadonlyMap<string, StorageRoute> = new Map<string, StorageRoute>([
  ["/upload/file", uploadFile],
  ["/upload/image", uploadImage],
  ["/delete", deleteFile],
  ["/url", fileUrl],
  ["/list", listFilesRoute],
]);
