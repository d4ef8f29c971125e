import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";

/** What a project keeps the settings of the formatter in; the first one that is there counts. */
export const settingsFiles = ["biome.json", "biome.jsonc"] as const;

type Settings = Readonly<Record<string, unknown>>;

/**
 * The settings of a folder, with those that they extend in their places, as the formatter does: so they mean the same elsewhere, and
 * count by what they say. Null where the folder has none. What is not there is left for the formatter of the project to complain of.
 */
export function settingsIn(folder: string): Settings | null {
  const file = settingsFiles.map((name) => join(folder, name)).find((path) => existsSync(path));
  return file === undefined ? null : settingsOf(file, new Set());
}

function settingsOf(file: string, above: ReadonlySet<string>): Settings {
  const { extends: bases, ...own }: Settings = Object(parse(readFileSync(file, "utf8")));
  const seen = new Set([...above, file]);
  const found = [bases]
    .flat()
    .flatMap((base) => (typeof base === "string" ? (baseAt(file, base) ?? []) : []));
  return [...found.filter((path) => !seen.has(path)).map((path) => settingsOf(path, seen)), own].reduce(
    merged,
  );
}

/** A file by its path, one of a package by its name, or (`//`) that of the repository around. */
function baseAt(file: string, base: string): string | null {
  const folder = dirname(file);
  if (base === "//") return settingsAbove(dirname(folder));
  const path = join(folder, base);
  if (existsSync(path)) return path;
  try {
    return createRequire(file).resolve(base);
  } catch {
    return null;
  }
}

function settingsAbove(folder: string): string | null {
  const file = settingsFiles.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (file !== undefined) return file;
  return dirname(folder) === folder ? null : settingsAbove(dirname(folder));
}

/** The second over the first; overrides add up. */
function merged(first: Settings, second: Settings): Settings {
  const both = Object.entries(second).map(([key, value]) => {
    const former = Object.hasOwn(first, key) ? first[key] : undefined;
    if (key === "overrides" && Array.isArray(former) && Array.isArray(value))
      return [key, [...former, ...value]];
    return [key, isSection(former) && isSection(value) ? merged(former, value) : value];
  });
  return { ...first, ...Object.fromEntries(both) };
}

function isSection(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
