import { matrixPath } from "../access/matrix.ts";
import type { Changes } from "../write/changes.ts";
import { checksum } from "../write/checksum.ts";
import { hasMergeMarks, mergedSides } from "../write/merge-marks.ts";
import { locksOf, type OutputFolder } from "../write/output-folder.ts";
import { textAt } from "./git-base.ts";

/**
 * The text of `access-matrix.txt` that the last run left: empty before the first one, null where it is gone, or somebody
 * edited it; after a merge that of the branch it was merged into.
 */
export async function formerMatrix(folder: OutputFolder, root: string, out: string): Promise<string | null> {
  const { files, lock, sides } = folder;
  const found = files.get(matrixPath);
  const text = found !== undefined && hasMergeMarks(found) ? mergedSides(found)[0] : found;
  if (text !== undefined && isOurs(text, folder)) return text;
  if (text === undefined && !lock.files.has(matrixPath) && servesNothing(folder)) return "";
  return sides.length === 0 ? null : textBeforeMerge(folder, root, out);
}

/** While a merge is under way the branch is HEAD; once somebody committed its marks, the parent of that. */
async function textBeforeMerge(folder: OutputFolder, root: string, out: string): Promise<string | null> {
  for (const commit of ["HEAD", "HEAD^"]) {
    const text = await textAt(root, out, commit, matrixPath);
    if (text !== null && isOurs(text, folder)) return text;
  }
  return null;
}

function isOurs(text: string, folder: OutputFolder): boolean {
  const sum = checksum(text);
  return locksOf(folder).some(({ files }) => files.get(matrixPath)?.content === sum);
}

/** Where no file of a model changes, access does not either. */
export function servesTheSame({ written, removed }: Changes): boolean {
  return ![...written, ...removed].some(({ path }) => path.startsWith("models/") || path === "index.ts");
}

/** Whether the folder has no models yet: before the first run, and after `npm run introspect`. */
export function servesNothing({ files }: OutputFolder): boolean {
  return ![...files.keys()].some((path) => path.startsWith("models/"));
}
