import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { checksum } from "../output/checksum.ts";
import { parsedJson } from "../output/parsed-json.ts";
import { makeFoldersOf, replaceFile } from "../output/save.ts";

/** Which texts passed the compile check last time, and among what. It is a cache: losing it costs a second. */
export interface CheckedFiles {
  /** Checksum of the settings of the compiler, its version and those of the dependencies. */
  readonly surroundings: string;
  /** Checksums of what was checked, by path relative to the project. */
  readonly files: ReadonlyMap<string, string>;
  /** Checksums of what that reaches by imports beside it, packages left out: the runtime, and modules of the user's anywhere. */
  readonly reached: ReadonlyMap<string, string>;
}

const cacheFile = "var/kirak/checked-files.json";

/** Reads the cache; an unreadable one is empty. */
function readCheckedFiles(root: string): CheckedFiles {
  const text = readText(join(root, cacheFile));
  const data: unknown = text === null ? null : parsedJson(text);
  const { surroundings, files, reached }: Record<string, unknown> = Object(data);
  if (typeof surroundings !== "string" || files === undefined || reached === undefined)
    return { surroundings: "", files: new Map(), reached: new Map() };
  return { surroundings, files: sumsIn(files), reached: sumsIn(reached) };
}

function sumsIn(data: unknown): Map<string, string> {
  return new Map(Object.entries(Object(data)).map(([path, sum]) => [path, String(sum)]));
}

/** Writes the cache. Where that fails, in a read-only checkout for example, the next run takes longer. */
export function saveCheckedFiles(root: string, { surroundings, files, reached }: CheckedFiles): void {
  const data = { surroundings, files: Object.fromEntries(files), reached: Object.fromEntries(reached) };
  try {
    makeFoldersOf([join(root, cacheFile)]);
    replaceFile(join(root, cacheFile), JSON.stringify(data));
  } catch {}
}

/** Checksum of the settings of the compiler, its version and those of the dependencies. */
export function surroundingsOf(root: string, out: string): string {
  const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
  const names = ["tsconfig.json", "package.json", "package-lock.json", "node_modules/.package-lock.json"];
  const paths = [compiler, ...names.map((name) => join(root, name))];
  return checksum([out, ...paths.map((path) => readText(path) ?? "")].join("\0"));
}

/**
 * Checksums of files, by path relative to the project; of one that is gone it is empty. What somebody saved since a moment, in
 * milliseconds, has none that will ever be the same: nobody knows which text was looked at.
 */
export function sumsOf(
  root: string,
  paths: Iterable<string>,
  since = Number.POSITIVE_INFINITY,
): Map<string, string> {
  return new Map([...paths].map((path) => [path, sumOf(join(root, path), since)]));
}

function sumOf(path: string, since: number): string {
  const savedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const text = readText(path);
  if (text === null) return "";
  return savedAt >= since ? "saved meanwhile" : checksum(text);
}

/** What passed among the same surroundings: nothing where something beside it is another one by now. */
export function passedIn(root: string, surroundings: string): CheckedFiles {
  const passed = readCheckedFiles(root);
  const now = sumsOf(root, passed.reached.keys());
  const same = [...passed.reached].every(([path, sum]) => now.get(path) === sum);
  return same && passed.surroundings === surroundings
    ? passed
    : { surroundings, files: new Map(), reached: new Map() };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
