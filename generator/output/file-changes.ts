import { basename } from "node:path";
import { createTwoFilesPatch } from "diff";
import { lockFile } from "../../vocabulary/models-folder.ts";
import { checksum } from "./lock-file.ts";
import { hasMergeMarks } from "./merge-marks.ts";
import { documentPath, graphqlSchemaPath, matrixPath, snapshotPath } from "./output-files.ts";
import { locksOf, type OutputFolder } from "./output-folder.ts";

/** A file that a run would create (`before` is null), change, or remove (`after` is null). */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Changes {
  readonly written: readonly FileChange[];
  readonly removed: readonly FileChange[];
  /** Files edited by hand that the run would change or remove. */
  readonly edited: readonly FileChange[];
  /** Files on disk that no run has generated. They stay. */
  readonly unknown: readonly string[];
  readonly unchanged: number;
}

/** Files of tools and people that can be in any folder and are not code. */
const common = new Set([".gitattributes", ".gitignore", ".gitkeep", ".DS_Store"]);

/**
 * Compares the generated texts with the output folder. Removes only generated files. `discarded` are migrations to remove.
 */
export function changesTo(
  folder: OutputFolder,
  wanted: ReadonlyMap<string, string>,
  discarded: readonly string[],
): Changes {
  const differing = [...wanted].flatMap(([path, after]): FileChange[] => {
    const before = folder.files.get(path) ?? folder.leftovers.get(path) ?? null;
    return before === after ? [] : [{ path, before, after }];
  });
  const ours = new Set([...locksOf(folder).flatMap(({ files }) => [...files.keys()]), ...discarded]);
  const stale = [...[...folder.files].filter(([path]) => ours.has(path)), ...folder.leftovers].flatMap(
    ([path, before]): FileChange[] => (wanted.has(path) ? [] : [{ path, before, after: null }]),
  );
  const edited = [...differing, ...stale].filter(
    (change) => !discarded.includes(change.path) && isEdited(change, folder),
  );
  const unknown = [...folder.files.keys()].filter(
    (path) => !wanted.has(path) && !ours.has(path) && !common.has(basename(path)),
  );
  return {
    written: sorted(differing),
    removed: sorted(stale),
    edited: sorted(edited),
    unknown: unknown.sort(),
    unchanged: wanted.size - differing.length,
  };
}

/** Files that are derived from others, so edits of them are not worth keeping. */
const derived: ReadonlySet<string> = new Set([lockFile, snapshotPath]);

/**
 * Whether the text on disk differs from the generated one, also of a killed run. A text that a merge produced does not count as
 * edited.
 */
function isEdited({ path, before, after }: FileChange, folder: OutputFolder): boolean {
  if (derived.has(path) || before === null || (after === null && folder.leftovers.has(path))) return false;
  if (hasMergeMarks(before)) return false;
  // Branches that both changed the API, its access or its schema give a text which neither of them wrote.
  if ([matrixPath, documentPath, graphqlSchemaPath].includes(path) && folder.sides.length > 0) return false;
  return !locksOf(folder).some(({ files }) => files.get(path)?.content === checksum(before));
}

/** Whether a generated migration was edited. */
export function isEditedMigration(path: string, folder: OutputFolder): boolean {
  const text = folder.files.get(path);
  const known = locksOf(folder).flatMap(({ files }) => files.get(path) ?? []);
  return text !== undefined && known.length > 0 && !known.some(({ content }) => content === checksum(text));
}

function sorted(changes: readonly FileChange[]): FileChange[] {
  return [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Prints changes as one unified diff, from the disk to the generated texts. `out` prefixes the paths. */
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
