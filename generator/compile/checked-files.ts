import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { checksum } from "../output/checksum.ts";
import { parsedJson } from "../output/parsed-json.ts";
import { makeFoldersOf, replaceFile } from "../output/save.ts";
import { savedSince } from "../output/saved-since.ts";
import { developmentFile } from "../packages/development-package.ts";

/** Which texts passed the compile check last time, and among what. It is a cache: losing it costs a second. */
export interface CheckedFiles {
  /** Checksum of the settings of the compiler, its version and those of the dependencies. */
  readonly surroundings: string;
  /** Checksums of what was checked, by path relative to the project. */
  readonly files: ReadonlyMap<string, string>;
  /** Checksums of all else that the compiler read or found: the runtime, modules of the user's anywhere, packages, the language itself. */
  readonly reached: ReadonlyMap<string, string>;
  /** What it looked for and did not find: it would take a file of that name instead of another one. */
  readonly absent: readonly string[];
}

const nothing = { files: new Map(), reached: new Map(), absent: [] };

const cacheFile = "var/kirak/checked-files.json";

/** Sum of the cache as it stands; null where there is none. */
export function checkedFilesSum(root: string): string | null {
  const text = readText(join(root, cacheFile));
  return text === null ? null : checksum(text);
}

/** Reads the cache; an unreadable one is empty. */
export function readCheckedFiles(root: string): CheckedFiles {
  const text = readText(join(root, cacheFile));
  const data: unknown = text === null ? null : parsedJson(text);
  const { surroundings, files, reached, absent }: Record<string, unknown> = Object(data);
  if (
    typeof surroundings !== "string" ||
    files === undefined ||
    reached === undefined ||
    !Array.isArray(absent)
  )
    return { surroundings: "", ...nothing };
  return { surroundings, files: sumsIn(files), reached: sumsIn(reached), absent: absent.map(String) };
}

function sumsIn(data: unknown): Map<string, string> {
  return new Map(Object.entries(Object(data)).map(([path, sum]) => [path, String(sum)]));
}

/** Writes the cache, and gives its sum. Null where that fails, in a read-only checkout for example: the next run takes longer. */
export function saveCheckedFiles(root: string, checked: CheckedFiles): string | null {
  const { files, reached } = checked;
  const data = { ...checked, files: Object.fromEntries(files), reached: Object.fromEntries(reached) };
  const text = JSON.stringify(data);
  try {
    makeFoldersOf([join(root, cacheFile)]);
    replaceFile(join(root, cacheFile), text);
    return checksum(text);
  } catch {
    return null;
  }
}

/** Checksum of the settings of the compiler, its version and those of the dependencies. */
export function surroundingsOf(root: string, out: string): string {
  const compiler = developmentFile("typescript", "package.json");
  const names = ["tsconfig.json", "package.json", "package-lock.json", "node_modules/.package-lock.json"];
  const paths = [compiler, ...names.map((name) => join(root, name))];
  return checksum([out, ...paths.map((path) => readText(path) ?? "")].join("\0"));
}

/**
 * Checksums of files, by path relative to the project; of one that is gone it is empty. What somebody saved since a moment, in
 * milliseconds, has none that will ever be the same: nobody knows which text was looked at.
 */
export function sumsOf(root: string, paths: Iterable<string>, since: number): Map<string, string> {
  return new Map(
    [...paths].map((path) => {
      const sum = sumOf(join(root, path));
      // Whoever removed it has changed its folder.
      return [path, savedSince(nearestThere(join(root, path)), since) ? "saved meanwhile" : sum];
    }),
  );
}

/** The path itself, or else the folder nearest to it that is there. */
function nearestThere(path: string): string {
  const above = dirname(path);
  return above === path || existsSync(path) ? path : nearestThere(above);
}

/** Which paths are files. A folder counts by what is looked for in it. */
export function filesAmong(root: string, paths: readonly string[]): string[] {
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return paths.filter((path) => existsSync(join(root, path)) && isFile(join(root, path)));
}

/** Which paths are not there, or were not when somebody looked since a moment. */
export function absentSince(root: string, paths: readonly string[], since: number): string[] {
  return paths.filter((path) => !existsSync(join(root, path)) || savedSince(join(root, path), since));
}

function sumOf(path: string): string {
  try {
    return checksum(readFileSync(path));
  } catch {
    return "";
  }
}

/** What passed among the same surroundings: nothing where something beside it is another one by now. */
export function passedIn(root: string, surroundings: string): CheckedFiles {
  const passed = readCheckedFiles(root);
  return passed.surroundings === surroundings && isAsFound(root, passed)
    ? passed
    : { surroundings, ...nothing };
}

/** Whether what the compiler read is what it was, and what it did not find is still not there. */
export function isAsFound(
  root: string,
  { reached, absent }: Pick<CheckedFiles, "reached" | "absent">,
): boolean {
  return (
    absent.every((path) => !existsSync(join(root, path))) &&
    [...reached].every(([path, sum]) => sumOf(join(root, path)) === sum)
  );
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
