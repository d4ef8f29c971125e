import { createTwoFilesPatch } from "diff";
import type { FileChange } from "./file-changes.ts";

/** Prints changes as one unified diff, from what is on disk to what the models give. `out` prefixes the paths. */
export function unifiedDiff(changes: readonly FileChange[], out: string): string {
  return changes.map((change) => fileDiff(change, out)).join("");
}

function fileDiff({ path, before, after }: FileChange, out: string): string {
  const name = `${out}/${path}`;
  const from = before === null ? "/dev/null" : `a/${name}`;
  const to = after === null ? "/dev/null" : `b/${name}`;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", undefined, undefined, {
    context: 3,
  });
  return patch.replace(/^=+\n/, "");
}
