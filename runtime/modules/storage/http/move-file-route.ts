import { type Problem, refuseProblems } from "../../../core/errors/index.ts";
import { readJsonBody } from "../../../core/http/index.ts";
import { type FileMove, moveFile } from "../files/move-file.ts";
import { type FileKey, keyRules, readFileKey } from "../keys/file-key.ts";
import { requireAllowedKey } from "../keys/key-reach.ts";
import type { StorageCall, StorageRoute } from "./storage-route.ts";

/** Both keys fit, even with each character escaped. */
const longestBody = 16_384;

/** `POST …/move`. Errors: 409 and 415 `HTTP_ERROR`, `PERMISSION_DENIED`, `NOT_FOUND`, `STORAGE_ERROR`. */
export const moveFileRoute: StorageRoute = {
  method: "POST",
  operation: "move",
  parameters: [],
  async run(call) {
    const move = await readMove(call);
    for (const key of [move.from, move.to]) requireAllowedKey(call.allowedPrefix, key);
    const moved = await moveFile(call.services, move);
    return { message: "file moved", data: JSON.stringify({ path: move.to, ...moved }) };
  },
};

async function readMove({ request, problems }: StorageCall): Promise<FileMove> {
  const {
    from: oldPath,
    to: newPath,
    overwrite = false,
    ...others
  } = (await readJsonBody(request, longestBody)) ?? {};
  for (const field of Object.keys(others)) problems.push({ field, message: "is not a field of this route" });
  const from = readKey("from", oldPath, problems);
  const to = readKey("to", newPath, problems);
  if (to !== null && from === to) problems.push({ field: "to", message: "must differ from `from`" });
  if (typeof overwrite !== "boolean") problems.push({ field: "overwrite", message: "must be true or false" });
  refuseProblems(problems);
  if (from === null || to === null) throw new Error("an invalid path was not reported as a problem");
  return { from, to, overwrite: overwrite === true };
}

function readKey(field: string, value: unknown, problems: Problem[]): FileKey | null {
  const key = typeof value === "string" ? readFileKey(value) : null;
  if (key === null) problems.push({ field, message: value === undefined ? "is required" : keyRules });
  return key;
}
