import { statSync } from "node:fs";

/** Milliseconds that the clock of files may be behind the one of programs. */
const tick = 20;

/**
 * Whether a file or a folder was written, or put where it is, since a moment in milliseconds. Nothing that is there no more
 * was; who may have removed it looks for it as well.
 */
export function savedSince(path: string, moment: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A copy may have kept its time, and a rename does: when the entry itself changed, nobody sets.
  return stats !== undefined && Math.max(stats.mtimeMs, stats.ctimeMs) >= moment - tick;
}
