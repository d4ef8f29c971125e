import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { checksum } from "../output/checksum.ts";
import { parsedJson } from "../output/parsed-json.ts";
import { makeFoldersOf, replaceFile } from "../output/save.ts";

/** Which texts passed the compile check last time, and among what. It is a cache: losing it costs seconds. */
export interface CheckedFiles {
  /** Checksum of everything else that the check depends on. */
  readonly surroundings: string;
  /** Checksums by path relative to the project. */
  readonly files: ReadonlyMap<string, string>;
}

const cacheFile = "var/kirak/checked-files.json";

/** Reads the cache; an unreadable one is empty. */
export function readCheckedFiles(root: string): CheckedFiles {
  const text = readText(join(root, cacheFile));
  const data: unknown = text === null ? null : parsedJson(text);
  const valid = typeof data === "object" && data !== null && "surroundings" in data && "files" in data;
  if (!valid) return { surroundings: "", files: new Map() };
  const entries = Object.entries(Object(data.files)).map(([path, sum]) => [path, String(sum)] as const);
  return { surroundings: String(data.surroundings), files: new Map(entries) };
}

/** Writes the cache. Where that fails, in a read-only checkout for example, the next run takes longer. */
export function saveCheckedFiles(root: string, { surroundings, files }: CheckedFiles): void {
  try {
    makeFoldersOf([join(root, cacheFile)]);
    replaceFile(join(root, cacheFile), JSON.stringify({ surroundings, files: Object.fromEntries(files) }));
  } catch {}
}

/** Checksum of the runtime, the settings of the compiler and the versions of the dependencies. */
export function surroundingsOf(root: string, out: string): string {
  const sources = ["vocabulary", "runtime"].flatMap((folder) => sourcesIn(root, folder));
  const texts = sources.map(([path, text]) => `${path}\n${text}`);
  const settings = ["tsconfig.json", "package.json", "package-lock.json"].map(
    (name) => readText(join(root, name)) ?? "",
  );
  return checksum([out, ...settings, ...texts].join("\0"));
}

/** TypeScript files below a folder of the project, sorted, with their texts. */
export function sourcesIn(root: string, folder: string): [path: string, text: string][] {
  let names: string[];
  try {
    names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.split(sep).join("/")}`)
    .sort()
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
