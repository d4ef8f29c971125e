import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checksumLength, lockFile, modelsFolderText } from "../../vocabulary/models-folder.ts";

/**
 * Whether `models/` says something else, the manifest as far as generated files hold it, than when `npm run generate` made
 * `generated/`, by content: checkouts and copies change the times of files. False where that cannot be told, as in an image
 * without the two.
 */
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
  const text = modelsFolderText({
    namesIn: (name) => (name === "" ? readdirSync(folder) : namesIn(join(folder, name))),
    read: (name) => JSON.parse(read(folder, name)),
  });
  return createHash("sha256").update(text).digest("hex").slice(0, checksumLength);
}

/** Code of one's own is optional. */
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
