import type { Changes } from "../../output/file-changes.ts";
import { checksum } from "../../output/lock-file.ts";
import { hasMergeMarks, mergedSides } from "../../output/merge-marks.ts";
import { matrixPath } from "../../output/output-files.ts";
import { locksOf, type OutputFolder } from "../../output/output-folder.ts";

/**
 * The text of `access-matrix.txt` after the last run. With conflict marks, the side of the branch that was merged into. Empty before
 * the first run. If the file is missing or was edited: the current text if no file of a model changes, because access does not
 * change then; otherwise null.
 */
export function matrixBefore(
  folder: OutputFolder,
  { written, removed }: Changes,
  current: string,
): string | null {
  const found = folder.files.get(matrixPath);
  const text = found !== undefined && hasMergeMarks(found) ? mergedSides(found)[0] : found;
  if (text !== undefined && isWrittenByRun(text, folder)) return text;
  if (isFirstRun(folder)) return "";
  const served = [...written, ...removed].some(
    ({ path }) => path.startsWith("models/") || path === "index.ts",
  );
  return served ? null : current;
}

/** Whether a run wrote this text of `access-matrix.txt`, on either side of a merge. */
export function isWrittenByRun(text: string, folder: OutputFolder): boolean {
  const sum = checksum(text);
  return locksOf(folder).some(({ files }) => files.get(matrixPath)?.content === sum);
}

/** Whether no run wrote the folder. `npm run introspect` writes migrations to it before the first run. */
export function isFirstRun({ files, lock }: OutputFolder): boolean {
  const hasModels = [...files.keys()].some((path) => path.startsWith("models/"));
  return !hasModels && !files.has(matrixPath) && !lock.files.has(matrixPath);
}
