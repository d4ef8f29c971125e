import { createHash } from "node:crypto";
import { readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileStore } from "@tus/file-store";
import type { Upload } from "@tus/server";
import { ServiceError } from "../../../../core/errors/index.ts";
import type { Locks } from "../../files/storage-services.ts";
import { discard, stagedMode } from "../../incoming/receive-file.ts";
import { mostOfOne } from "../../incoming/upload-slots.ts";
import { makeFolder, statFile } from "../../stores/disk.ts";

export const lifetimeMs = 24 * 3_600_000;

/** The beginning of the ids of a user's uploads: a digest of the user's id. */
export function ownerPart(user: string): string {
  return `${createHash("sha256").update(user).digest("hex").slice(0, 32)}-`;
}

/** Creates the files of a new upload, which only the service can read. Error: 429 if the user has too many. */
export function createUpload({ directory }: FileStore, id: string, locks: Locks): Promise<void> {
  const owner = id.slice(0, id.indexOf("-"));
  return locks.run(`.${owner}`, async () => {
    await makeFolder(directory);
    const isOwn = (name: string) => name.startsWith(owner) && name.endsWith(".json");
    const names = (await readdir(directory)).filter(isOwn);
    const states = await Promise.all(names.map((name) => statFile(join(directory, name))));
    const expired = BigInt(Date.now() - lifetimeMs) * 1_000_000n;
    if (states.filter((state) => state !== null && state.mtimeNs > expired).length >= mostOfOne) {
      const message = `You have ${mostOfOne} unfinished uploads: finish or delete one.`;
      throw new ServiceError("HTTP_ERROR", message, undefined, { status: 429 });
    }
    for (const path of pathsOf(directory, id)) await writeFile(path, "", { mode: stagedMode, flag: "wx" });
  });
}

export async function removeUpload({ directory }: FileStore, id: string): Promise<void> {
  await Promise.all(pathsOf(directory, id).map(discard));
}

/**
 * Checks an upload. After a crash or a failure, a complete upload is not stored: the client must send its last
 * byte again. Error: `NOT_FOUND`, and those of the check.
 */
export async function reopenUpload(
  files: FileStore,
  id: string,
  check: (upload: Upload) => void,
): Promise<void> {
  const upload = await files.configstore.get(id);
  if (upload === undefined) throw noSuchUpload();
  check(upload);
  const { size = 0 } = upload;
  const [path] = pathsOf(files.directory, id);
  if (size > 0 && (await statFile(path))?.size === BigInt(size)) await truncate(path, size - 1);
}

function pathsOf(folder: string, id: string): readonly [string, string] {
  const path = join(folder, id);
  return [path, `${path}.json`];
}

/** 404. */
export function noSuchUpload(): ServiceError {
  return new ServiceError("NOT_FOUND", "There is no such upload.");
}
