import { invalid, refuseProblems } from "../../../core/errors/index.ts";
import type { SuccessResponse } from "../../../core/http/index.ts";
import { removeFolder } from "../files/remove-folder.ts";
import { noSuchFile, removeFile } from "../files/store-file.ts";
import { isFileKey, keyRules, readKeyPrefix } from "../keys/file-key.ts";
import { requireAllowedKey } from "../keys/key-reach.ts";
import { readFlag, requirePath, type StorageCall, type StorageRoute } from "./storage-route.ts";

/** `DELETE …/delete` of a file or a folder. Errors: `PERMISSION_DENIED`, `NOT_FOUND`, `STORAGE_ERROR`. */
export const deleteFiles: StorageRoute = {
  parameters: ["path", "prefix", "with_thumbnails"],
  run: (call) => (call.parameters.has("prefix") ? deleteFolder(call) : deleteFile(call)),
};

/** Errors: also 400 for a thumbnail. */
async function deleteFile(call: StorageCall): Promise<SuccessResponse> {
  // The router has already reported an empty value.
  const flag = call.parameters.get("with_thumbnails") || "false";
  const withThumbnails = readFlag("with_thumbnails", flag, call.problems);
  const key = requirePath(call);
  if (!isFileKey(key))
    throw invalid([{ field: "path", message: "is a thumbnail, which is deleted with its original" }]);
  requireAllowedKey(call.allowedPrefix, key);
  if (!(await removeFile(call.services, key, { withThumbnails }))) throw noSuchFile();
  return { message: "file deleted", data: JSON.stringify({ path: key }) };
}

/** Deletes the first files of a folder. `more` in the response asks for another request. */
async function deleteFolder(call: StorageCall): Promise<SuccessResponse> {
  const { services, allowedPrefix, parameters, problems } = call;
  for (const field of ["path", "with_thumbnails"])
    if (parameters.has(field)) problems.push({ field, message: "cannot be sent with prefix" });
  const folder = readKeyPrefix(parameters.get("prefix") ?? "") ?? "";
  if (!folder.endsWith("/"))
    problems.push({ field: "prefix", message: `${keyRules}; a folder ends with '/'` });
  refuseProblems(problems);
  requireAllowedKey(allowedPrefix, folder);
  const removal = await removeFolder(services, folder);
  const message = `${removal.deleted} ${removal.deleted === 1 ? "file" : "files"} deleted`;
  return { message, data: JSON.stringify(removal) };
}
