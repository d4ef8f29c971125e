import { lockFile } from "../../vocabulary/models-folder.ts";
import { type EmittedFile, emittedSum } from "../output/emitted-file.ts";
import { checksum, type Lock, type LockEntry, printLock } from "../output/lock-file.ts";
import { currentText, type OutputFolder } from "../output/output-folder.ts";
import { formatted, generatedFormat } from "./format.ts";

/** What the lock tells beside the emitted files. */
export interface Beside {
  /** Files of earlier runs that stay as they are (migrations). */
  readonly kept: readonly string[];
  /** Checksum of what the models say; empty where nothing was made of them. */
  readonly models: string;
}

/**
 * Turns emitted text into the final text of each file, the lock included. A file whose emitted text is that of the
 * last run, and which nobody edited since, is taken from disk instead of being formatted again.
 */
export async function formatOutput(
  emitted: readonly EmittedFile[],
  { kept, models }: Beside,
  folder: OutputFolder,
): Promise<Map<string, string>> {
  const format = checksum(JSON.stringify(generatedFormat));
  const final = new Map(kept.map((path) => [path, folder.files.get(path) ?? ""]));
  const changed: EmittedFile[] = [];
  for (const file of emitted) {
    const text = format === folder.lock.format ? currentText(file, folder) : null;
    if (text === null) changed.push(file);
    else final.set(file.path, text);
  }
  for (const [path, text] of await formatted(changed)) final.set(path, text);
  const anew = new Map(changed.map((file) => [file.path, file]));
  const emittedPaths = new Set(emitted.map(({ path }) => path));
  const files = new Map(
    [...final].map(([path, text]) => {
      const former = formerEntry(path, folder);
      const [file, isCurrent] = [anew.get(path), emittedPaths.has(path) && !anew.has(path)];
      return [path, isCurrent && former !== undefined ? former : lockEntry(file, text, former)];
    }),
  );
  const lock = { format, models, files };
  return final.set(lockFile, printLock(saysTheSame(lock, folder.lock) ? folder.lock : lock));
}

/**
 * Whether two locks tell the same of all texts that are on disk. What those were made of tells only what need not be formatted
 * again: a difference of that alone is no reason to write a file that somebody reviews.
 */
function saysTheSame(...locks: readonly [Omit<Lock, "codeFormat">, Lock]): boolean {
  const [one, other] = locks.map((lock) => {
    const contents = [...lock.files].map(([path, { content }]) => [path, { source: "", content }] as const);
    return printLock({ ...lock, files: new Map(contents) });
  });
  return one === other;
}

function formerEntry(path: string, { lock, pending }: OutputFolder): LockEntry | undefined {
  return lock.files.get(path) ?? pending.files.get(path);
}

/** A file that is kept has no emitted text any more: its entry stays while its content does. */
function lockEntry(file: EmittedFile | undefined, text: string, former: LockEntry | undefined): LockEntry {
  const content = checksum(text);
  if (file !== undefined) return { source: emittedSum(file), content };
  return former?.content === content ? former : { source: content, content };
}
