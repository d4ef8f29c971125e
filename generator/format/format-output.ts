import { lockFile } from "../../vocabulary/models-folder.ts";
import { checksum } from "../output/checksum.ts";
import type { EmittedFile } from "../output/emitted-file.ts";
import { type LockEntry, printLock } from "../output/lock-file.ts";
import { currentText, type OutputFolder } from "../output/output-folder.ts";
import { formatSettings, formatted, settingsChecksum } from "./format.ts";

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
  root: string,
): Promise<Map<string, string>> {
  const settings = formatSettings(root);
  const format = settingsChecksum(settings);
  const final = new Map(kept.map((path) => [path, folder.files.get(path) ?? ""]));
  const changed: EmittedFile[] = [];
  for (const file of emitted) {
    const text = format === folder.lock.format ? currentText(file, folder) : null;
    if (text === null) changed.push(file);
    else final.set(file.path, text);
  }
  for (const [path, text] of await formatted(changed, settings)) final.set(path, text);
  const sources = new Map(emitted.map(({ path, text }) => [path, text]));
  const files = new Map(
    [...final].map(([path, text]) => [path, lockEntry(sources.get(path), text, formerEntry(path, folder))]),
  );
  return final.set(lockFile, printLock({ format, models, files }));
}

function formerEntry(path: string, { lock, pending }: OutputFolder): LockEntry | undefined {
  return lock.files.get(path) ?? pending.files.get(path);
}

/** A file that is kept has no emitted text any more: its entry stays while its content does. */
function lockEntry(source: string | undefined, text: string, former: LockEntry | undefined): LockEntry {
  const content = checksum(text);
  if (source !== undefined) return { source: checksum(source), content };
  return former?.content === content ? former : { source: content, content };
}
