import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { canHoldKeys, compareBytes, isListedKey, type StoredKey } from "../../keys/file-key.ts";
import { ifExists, isRealFolder, statFile, withDiskTimeout } from "../disk.ts";
import type { FilePage, ListedFile, ListRequest } from "../file-store.ts";
import type { RootFolder } from "./root-folder.ts";

/** Concurrent disk calls; other requests need the disk, too. */
const mostAtOnce = 64;

export async function listPage(root: RootFolder, request: ListRequest): Promise<FilePage> {
  const { prefix, after, limit, withThumbnails = false } = request;
  const path = await root.pathOf("");
  if (path === null) return { files: [], more: false };
  const files: ListedFile[] = [];
  const keys = keysBelow({ path, base: "" }, { prefix, after, withThumbnails });
  // One file more than the limit shows whether more follow.
  for (let ended = false; !ended && files.length <= limit; ) {
    const some: StoredKey[] = [];
    while (!ended && some.length < Math.min(mostAtOnce, limit + 1 - files.length)) {
      const { done, value } = await keys.next();
      if (done) ended = true;
      else some.push(value);
    }
    files.push(...(await filesOf(root, some)));
  }
  await keys.return(undefined);
  return { files: files.slice(0, limit), more: files.length > limit };
}

/** Files that were removed during the listing are left out. */
async function filesOf(root: RootFolder, keys: readonly StoredKey[]): Promise<ListedFile[]> {
  const files = await Promise.all(
    keys.map(async (key) => {
      const path = await root.pathOf(key);
      const state = path === null ? null : await statFile(path);
      return state === null ? [] : [{ key, size: Number(state.size) }];
    }),
  );
  return files.flat();
}

/** Most entries of a folder in memory; larger folders are read several times. */
const mostEntries = 4000;

export interface Folder {
  /** Path on disk. */
  readonly path: string;
  /** Prefix of the keys in it: empty, or with a trailing slash. */
  readonly base: string;
}

/** Prefix and cursor, relative to the folder. */
export interface KeyFilter {
  readonly prefix: string;
  readonly after: string;
  readonly withThumbnails: boolean;
}

/** Name of a file, or of a folder with a trailing slash, so that entries sort like keys. */
type Entry = string;

/** Keys below a folder, ordered by bytes. Reads folders lazily, and skips folders without matching keys. */
async function* keysBelow({ path, base }: Folder, filter: KeyFilter): AsyncGenerator<StoredKey> {
  const { prefix, after, withThumbnails } = filter;
  const slash = prefix.indexOf("/") + 1;
  for await (const entry of slash > 0
    ? singleFolder(prefix.slice(0, slash), path, after)
    : entriesOf(path, filter)) {
    const key = base + entry;
    if (!entry.endsWith("/")) {
      if (isListedKey(key, withThumbnails)) yield key;
    } else if (canHoldKeys(key, withThumbnails)) {
      const inner = { prefix: relativeTo(prefix, entry), after: relativeTo(after, entry), withThumbnails };
      yield* keysBelow({ path: join(path, entry), base: key }, inner);
    }
  }
}

/** Prefix or cursor relative to a folder's entry. */
function relativeTo(text: string, entry: Entry): string {
  return text.startsWith(entry) ? text.slice(entry.length) : "";
}

/** A single folder, if its name is known. */
async function* singleFolder(entry: Entry, path: string, after: string): AsyncGenerator<Entry> {
  if (comesAfter(entry, after) && (await isRealFolder(join(path, entry.slice(0, -1))))) yield entry;
}

/** Whether an entry or one of its contents comes after a key. */
function comesAfter(entry: Entry, after: string): boolean {
  return compareBytes(entry, after) > 0 || (entry.endsWith("/") && after.startsWith(entry));
}

async function* entriesOf(path: string, filter: KeyFilter): AsyncGenerator<Entry> {
  for (let last: Entry | null = ""; last !== null; ) {
    const entries: Entry[] = await firstEntries(path, filter, last);
    yield* entries;
    last = entries.length < mostEntries ? null : (entries.at(-1) ?? null);
  }
}

/** The first matching entries after a cursor, in order. */
async function firstEntries(path: string, { prefix, after }: KeyFilter, last: Entry): Promise<Entry[]> {
  const first = new FirstEntries();
  for await (const found of readFolder(path)) {
    if (!found.isDirectory() && !found.isFile()) continue;
    const entry = found.isDirectory() ? `${found.name}/` : found.name;
    if (!entry.startsWith(prefix) || !comesAfter(entry, after)) continue;
    if (compareBytes(entry, last) > 0 && first.canBeFirst(entry)) first.take(entry);
  }
  return first.entries();
}

/** Entries of a folder, read in small steps so that other requests can run. */
async function* readFolder(path: string): AsyncGenerator<Dirent> {
  const folder = await ifExists(opendir(path, { bufferSize: 512 }));
  if (folder === null) return;
  try {
    for (
      let entry = await withDiskTimeout(folder.read());
      entry !== null;
      entry = await withDiskTimeout(folder.read())
    )
      yield entry;
  } finally {
    await withDiskTimeout(folder.close());
  }
}

/** Keeps the first entries up to the limit. */
class FirstEntries {
  readonly #entries: Entry[] = [];
  /** Entries after the bound are not among the first. */
  #bound: Entry | null = null;

  canBeFirst(entry: Entry): boolean {
    return this.#bound === null || compareBytes(entry, this.#bound) < 0;
  }

  take(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length === 2 * mostEntries) this.entries();
  }

  entries(): Entry[] {
    this.#entries.sort(compareBytes);
    if (this.#entries.length < mostEntries) return this.#entries;
    this.#entries.length = mostEntries;
    this.#bound = this.#entries.at(-1) ?? null;
    return this.#entries;
  }
}
