import { checksum } from "./checksum.ts";
import { type Lock, lockFile } from "./lock.ts";
import type { OutputFolder } from "./output-folder.ts";

/** A file that a run would create (`before` is null), change, or remove (`after` is null). */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Changes {
  readonly written: readonly FileChange[];
  readonly removed: readonly FileChange[];
  /** Files that somebody edited by hand, and which the run would change or remove. */
  readonly edited: readonly FileChange[];
  readonly unchanged: number;
}

/**
 * Compares wanted texts with the output folder. Only files of the lock are ever removed. `kept` are files of earlier
 * runs that nothing can make again (migrations): they are compared with the lock alone.
 */
export function changesTo(
  folder: OutputFolder,
  wanted: ReadonlyMap<string, string>,
  kept: readonly string[],
): Changes {
  const differing = [...wanted].flatMap(([path, after]): FileChange[] => {
    const before = folder.files.get(path) ?? null;
    return before === after ? [] : [{ path, before, after }];
  });
  const stale = [...folder.lock.files.keys()].flatMap((path): FileChange[] => {
    const before = folder.files.get(path);
    return before === undefined || wanted.has(path) ? [] : [{ path, before, after: null }];
  });
  const untouched = kept.flatMap((path): FileChange[] => {
    const text = folder.files.get(path);
    return text === undefined || !folder.lock.files.has(path) ? [] : [{ path, before: text, after: text }];
  });
  const edited = [...differing, ...stale, ...untouched].filter((change) => isEdited(change, folder.lock));
  return {
    written: sorted(differing),
    removed: sorted(stale),
    edited: sorted(edited),
    unchanged: wanted.size - differing.length,
  };
}

/** A text on disk that is not the one which the generator left there. */
function isEdited({ path, before }: FileChange, lock: Lock): boolean {
  return path !== lockFile && before !== null && lock.files.get(path)?.content !== checksum(before);
}

function sorted(changes: readonly FileChange[]): FileChange[] {
  return [...changes].sort((a, b) => (a.path < b.path ? -1 : 1));
}
