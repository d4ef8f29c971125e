import { hash } from "node:crypto";
import { codeFormat, codeFormatOf } from "../../vocabulary/code-format.ts";
import type { Json } from "../../vocabulary/json.ts";
import { checksumLength } from "../../vocabulary/models-folder.ts";

/** Name of the lock of a running run. After a killed run it stays, and lists the files of that run. */
export const pendingLockFile = "manifest.lock.pending.json";

export interface LockEntry {
  /** Checksum of the text before formatting. An equal text is not formatted again. */
  readonly source: string;
  /** Checksum of the file on disk. A different one means that the file was edited. */
  readonly content: string;
}

/** The content of `manifest.lock.json`: every generated file. */
export interface Lock {
  /** The format of the generated code; 0 in locks from before formats. */
  readonly codeFormat: number;
  /** Checksum of the formatter's settings. After a change, all files are formatted again. */
  readonly format: string;
  /** Checksum of the models; empty if nothing was generated from them. The runtime reads it too. */
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

/** Parses a lock; null if it is invalid, for example after a merge. Invalid entries are left out. */
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

/** Parses JSON that the generator wrote; null if it is invalid, for example with conflict marks. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A value after printing and parsing as JSON: `-0` becomes 0, and objects get a prototype. */
export function asStored<Value extends Json>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

/** A short checksum of a text or bytes. It detects edits, not forgery. */
export function checksum(text: string | Uint8Array): string {
  return hash("sha256", text, "hex").slice(0, checksumLength);
}
