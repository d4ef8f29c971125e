import { invalid, refuseProblems } from "../../../core/errors/index.ts";
import { readJsonBody } from "../../../core/http/index.ts";
import { moveFile } from "../files/move-file.ts";
import { type FileKey, keyRules, readFileKey } from "../keys/file-key.ts";
import { requireAllowedKey } from "../keys/key-reach.ts";
import type { StorageRoute } from "./storage-route.ts";

/** Both keys fit, even with each character escaped. */
const longestBody = 16_384;

/** `POST …/move`. Errors: 409 and 415 `HTTP_ERROR`, `PERMISSION_DENIED`, `NOT_FOUND`, `STORAGE_ERROR`. */
export const moveFileRoute: StorageRoute = {
  parameters: [],
  async run({ services, request, allowedPrefix, problems }) {
    refuseProblems(problems);
    const body = (await readJsonBody(request, longestBody)) ?? {};
    const { overwrite = false } = body;
    const [unknown] = Object.keys(body).filter((field) => !["from", "to", "overwrite"].includes(field));
    if (unknown !== undefined) throw invalid([{ field: unknown, message: "is not a field of this route" }]);
    const [from, to] = [readKey("from", body["from"]), readKey("to", body["to"])];
    if (from === to) throw invalid([{ field: "to", message: "must differ from `from`" }]);
    if (typeof overwrite !== "boolean")
      throw invalid([{ field: "overwrite", message: "must be true or false" }]);
    for (const key of [from, to]) requireAllowedKey(allowedPrefix, key);
    const moved = await moveFile(services, { from, to, overwrite });
    return { message: "file moved", data: JSON.stringify({ path: to, ...moved }) };
  },
};

function readKey(field: string, value: unknown): FileKey {
  const key = typeof value === "string" ? readFileKey(value) : null;
  if (key === null) throw invalid([{ field, message: value === undefined ? "is required" : keyRules }]);
  return key;
}
