import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { removeFile } from "../files/store-file.ts";
import { isFileKey } from "../keys/file-key.ts";
import { requireAllowedKey } from "../keys/key-reach.ts";
import { readFlag, requirePath, type StorageRoute } from "./storage-route.ts";

/** `DELETE …/delete`. Errors: 400 for a thumbnail, `PERMISSION_DENIED`, `NOT_FOUND`, `STORAGE_ERROR`. */
export const deleteFile: StorageRoute = {
  method: "DELETE",
  operation: "delete",
  parameters: ["path", "with_thumbnails"],
  async run(call) {
    // The router has already reported an empty value.
    const flag = call.parameters.get("with_thumbnails") || "false";
    const withThumbnails = readFlag("with_thumbnails", flag, call.problems);
    const key = requirePath(call);
    if (!isFileKey(key))
      throw invalid([{ field: "path", message: "is a thumbnail, which is deleted with its original" }]);
    requireAllowedKey(call.allowedPrefix, key);
    if (!(await removeFile(call.services, key, { withThumbnails })))
      throw new ServiceError("NOT_FOUND", "There is no such file.");
    return { message: "file deleted", data: JSON.stringify({ path: key }) };
  },
};
