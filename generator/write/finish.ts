import type { EmittedFile } from "../emit/emit.ts";
import { checksum } from "./checksum.ts";
import { formatSettings, formatted, settingsChecksum } from "./format.ts";
import { type LockEntry, lockFile, printLock } from "./lock.ts";
import type { OutputFolder } from "./output-folder.ts";

/**
 * Turns emitted text into the final text of each file, the lock included. A file whose emitted text is that of the
 * last run, and which nobody edited since, is taken from disk instead of being formatted again. `kept` are files of
 * earlier runs that stay as they are (migrations).
 */
export function finish(
  emitted: readonly EmittedFile[],
  kept: readonly string[],
  folder: OutputFolder,
  root: string,
): Map<string, string> {
  const settings = formatSettings(root);
  const format = settingsChecksum(settings);
  const reuse = format === folder.lock.format;
  const entries = new Map<string, LockEntry>(kept.map((path) => [path, keptEntry(path, folder)]));
  const final = new Map(kept.map((path) => [path, folder.files.get(path) ?? ""]));
  const changed: EmittedFile[] = [];
  for (const file of emitted) {
    const text = reuse ? unchangedText(file, folder) : null;
    if (text === null) changed.push(file);
    else final.set(file.path, text);
  }
  for (const [path, text] of formatted(changed, settings)) final.set(path, text);
  for (const { path, text } of emitted) {
    entries.set(path, { source: checksum(text), content: checksum(final.get(path) ?? "") });
  }
  return final.set(lockFile, printLock({ format, files: entries }));
}

function unchangedText({ path, text }: EmittedFile, { files, lock }: OutputFolder): string | null {
  const [entry, onDisk] = [lock.files.get(path), files.get(path)];
  if (entry === undefined || onDisk === undefined) return null;
  return entry.source === checksum(text) && entry.content === checksum(onDisk) ? onDisk : null;
}

/** A file that is kept has no emitted text: both checksums are those of the file. */
function keptEntry(path: string, { files }: OutputFolder): LockEntry {
  const content = checksum(files.get(path) ?? "");
  return { source: content, content };
}
