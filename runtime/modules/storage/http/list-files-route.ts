import { largestFilePage } from "../../../../vocabulary/storage.ts";
import { refuseProblems } from "../../../core/errors/index.ts";
import { linkTo } from "../files/storage-services.ts";
import { keyRules, readKeyPrefix } from "../keys/file-key.ts";
import { requireAllowedKey } from "../keys/key-reach.ts";
import { withStorageErrors } from "../storage-error.ts";
import { readWholeNumber, type StorageCall, type StorageRoute } from "./storage-route.ts";

/** `GET …/list`. Limited to the caller's reach. Errors: `PERMISSION_DENIED`, `STORAGE_ERROR`. */
export const listFilesRoute: StorageRoute = {
  parameters: ["prefix", "after", "limit"],
  async run(call) {
    const { services, allowedPrefix, problems } = call;
    const limit = readWholeNumber("limit", call, {
      min: 1,
      max: largestFilePage,
      fallback: largestFilePage,
      capped: true,
    });
    const sent = readPrefix("prefix", call);
    const after = readPrefix("after", call);
    refuseProblems(problems);
    const prefix = sent === "" && allowedPrefix !== null ? allowedPrefix : sent;
    requireAllowedKey(allowedPrefix, prefix);
    const { files, more } = await withStorageErrors(services.store.list({ prefix, after, limit }));
    const linked = await Promise.all(
      files.map(async ({ key, size }) => ({ path: key, size, url: await linkTo(services, key) })),
    );
    const message = files.length === 1 ? "1 file" : `${files.length} files`;
    return { message, data: JSON.stringify({ files: linked, next: more ? files.at(-1)?.key : undefined }) };
  },
};

/** The prefix of keys; empty by default. */
function readPrefix(field: string, { parameters, problems }: StorageCall): string {
  const prefix = readKeyPrefix(parameters.get(field) ?? "");
  if (prefix === null) problems.push({ field, message: keyRules });
  return prefix ?? "";
}
