import { hash } from "node:crypto";
import { codeFormat, codeFormatOf } from "../../vocabulary/code-format.ts";
import type { Json } from "../../vocabulary/json.ts";
import { checksumLength } from "../../vocabulary/models-folder.ts";

/** Name of the lock of a run that is under way: it stays where that run was killed, and shows what it wrote. */
export const pendingLockFile = "manifest.lock.pending.json";

export interface LockEntry {
  /** Checksum of the text before formatting: an equal one needs no formatting again. */
  readonly source: string;
  /** Checksum of the file on disk: another one means that someone edited the file. */
  readonly content: string;
}

/** What `manifest.lock.json` holds: every file that the generator made. */
export interface Lock {
  /** The format of the code that was generated; 0 of a lock of before there were formats. */
  readonly codeFormat: number;
  /** Checksum of the formatter's settings; other settings format everything again. */
  readonly format: string;
  /** Checksum of what the models said; empty where nothing was made of them. The runtime reads it too. */
  readonly models: string;
  readonly files: ReadonlyMap<string, LockEntry>;
}

/** Prints the lock, one line a file, sorted, so that two branches merge line by line. What a run writes has the format of this generator. */
export function printLock({ format, models, ...lock }: Omit<Lock, "codeFormat">): string {
  const files = [...lock.files].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = files.map(([path, { source, content }]) => [path, `${source} ${content}`]);
  const content = { code_format: codeFormat, format, models, files: Object.fromEntries(entries) };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Reads a lock; null where it cannot be read, after a merge for example. Entries that make no sense are left out. */
export function parseLock(text: string): Lock | null {
  const data: unknown = parsedJson(text);
  const files = new Map<string, LockEntry>();
  if (!isRecord(data)) return null;
  for (const [path, entry] of Object.entries(isRecord(data.files) ? data.files : {})) {
    const [source, content] = typeof entry === "string" ? entry.split(" ") : [];
    if (source !== undefined && content !== undefined) files.set(path, { source, content });
  }
  return { codeFormat: codeFormatOf(data), format: textOf(data.format), models: textOf(data.models), files };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads JSON that the generator wrote itself. Anything else, the marks of a merge for example, counts as null. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A value as it reads back from a JSON file: `-0`, for one, is 0 there, and every object has a prototype. */
export function asStored<Value extends Json>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** A short checksum of a text, or of its bytes: it notices edits, it does not withstand forgery. */
export function checksum(text: string | Uint8Array): string {
  return hash("sha256", text, "hex").slice(0, checksumLength);
}
