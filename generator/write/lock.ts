import { parsedJson } from "../parsed-json.ts";

/** Name of the lock file in the output folder. */
export const lockFile = "manifest.lock.json";

export interface LockEntry {
  /** Checksum of the text before formatting: an equal one needs no formatting again. */
  readonly source: string;
  /** Checksum of the file on disk: another one means that somebody edited the file. */
  readonly content: string;
}

/** What `manifest.lock.json` holds: every file that the generator made. */
export interface Lock {
  /** Checksum of the formatter's settings; other settings format everything anew. */
  readonly format: string;
  readonly files: ReadonlyMap<string, LockEntry>;
}

/** Prints the lock, one line a file, sorted, so that two branches merge line by line. */
export function printLock(lock: Lock): string {
  const files = [...lock.files].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = files.map(([path, { source, content }]) => [path, `${source} ${content}`]);
  return `${JSON.stringify({ format: lock.format, files: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** Reads a lock. What is unreadable in it, after a merge for example, counts as not there. */
export function parseLock(text: string): Lock {
  const data: unknown = parsedJson(text);
  const files = new Map<string, LockEntry>();
  if (!isRecord(data)) return { format: "", files };
  for (const [path, entry] of Object.entries(isRecord(data.files) ? data.files : {})) {
    const [source, content] = typeof entry === "string" ? entry.split(" ") : [];
    if (source !== undefined && content !== undefined) files.set(path, { source, content });
  }
  return { format: typeof data.format === "string" ? data.format : "", files };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
