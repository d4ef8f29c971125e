import { matrixPath } from "../access/matrix.ts";
import type { Changes } from "../write/changes.ts";
import { checksum } from "../write/checksum.ts";
import { hasMergeMarks, mergedSides } from "../write/merge-marks.ts";
import { locksOf, type OutputFolder } from "../write/output-folder.ts";

/**
 * The text of `access-matrix.txt` that the last run left: empty before the first one, null where it is gone, or somebody
 * edited it; where a merge left marks, that of the branch it was merged into. Then only one thing is certain: where no file of a model changes, access does not either.
 */
export function formerMatrix(
  folder: OutputFolder,
  { written, removed }: Changes,
  current: string,
): string | null {
  const { files, lock } = folder;
  const found = files.get(matrixPath);
  const text = found !== undefined && hasMergeMarks(found) ? mergedSides(found)[0] : found;
  const sum = text === undefined ? "" : checksum(text);
  if (text !== undefined && locksOf(folder).some((each) => each.files.get(matrixPath)?.content === sum))
    return text;
  const first = !lock.files.has(matrixPath) && ![...files.keys()].some((path) => path.startsWith("models/"));
  if (text === undefined && first) return "";
  const served = [...written, ...removed].some(
    ({ path }) => path.startsWith("models/") || path === "index.ts",
  );
  return served ? null : current;
}
