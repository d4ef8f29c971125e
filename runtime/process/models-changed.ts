import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checksumLength, folderChecksumText, lockFile } from "../../vocabulary/models-folder.ts";

/** Whether the content of `models/` changed since `npm run generate`. False if unknown. */
export function modelsChanged(root: string): boolean {
  try {
    const lock: { models?: unknown } = JSON.parse(read(root, "generated", lockFile));
    return typeof lock.models === "string" && lock.models !== "" && lock.models !== checksum(root);
  } catch {
    return false;
  }
}

function checksum(root: string): string {
  const folder = join(root, "models");
  const text = folderChecksumText({
    namesIn: (name) => (name === "" ? readdirSync(folder) : namesIn(join(folder, name))),
    read: (name) => JSON.parse(read(folder, name)),
  });
  return createHash("sha256").update(text).digest("hex").slice(0, checksumLength);
}

/** The app's code is optional. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(...path: readonly string[]): string {
  return readFileSync(join(...path), "utf8");
}
