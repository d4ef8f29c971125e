import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Sources } from "../diagnostics/index.ts";
import { parsedJson } from "../output/lock-file.ts";

/**
 * The app's TypeScript files with their texts: all files below the folder of the models file (paths relative to `root`). If the
 * models file is at the top of the project, only `usersTopFolders`. Folders that the build excludes are left out: tests can need
 * code that is not generated yet.
 */
export function usersSources(root: string, models: string, out: string): [path: string, text: string][] {
  const unbuilt = ignoredFolders(root);
  return usersFolders(models)
    .flatMap((folder) => usersFiles(root, folder, out))
    .filter((path) => path.endsWith(".ts") && !unbuilt.some((left) => path.startsWith(`${left}/`)))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

/** All code of the app that can fill tables: modules, also those that the service does not run, and SQL. */
export function usersScripts(root: string, models: string, out: string): [path: string, text: string][] {
  return usersFolders(models)
    .flatMap((folder) => usersFiles(root, folder, out))
    .filter((path) => /(?<!\.test)\.(ts|js|sql)$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

/** Folders with the app's code if the models file is at the top of the project. */
export const usersTopFolders = ["hooks", "jobs", "mails", "routes", "migrations"];

function usersFolders(models: string): readonly string[] {
  const folder = posix.dirname(models);
  return folder === "." ? usersTopFolders : [folder];
}

/** Folders that the build of the service leaves out, relative to `root`. */
function ignoredFolders(root: string): readonly string[] {
  const settings = join(root, "tsconfig.build.json");
  const data: unknown = existsSync(settings) ? parsedJson(readFileSync(settings, "utf8")) : null;
  const found = typeof data === "object" && data !== null && "exclude" in data ? data.exclude : [];
  return Array.isArray(found) ? found.map(String) : [];
}

/**
 * The app's files to compile: all except hook files that never run, unless another file imports them. A warning
 * reports those. `run` are the hook files that run.
 */
export function compiledSources(sources: Sources, models: string, run: ReadonlySet<string>): string[] {
  const folder = posix.join(posix.dirname(models), "hooks");
  const isOrphan = (path: string) =>
    posix.dirname(path) === folder && !/\.(d|test)\.ts$/.test(path) && !run.has(path);
  const live = [...sources].filter(([path]) => !isOrphan(path));
  const imported = new Set(live.flatMap(([path, text]) => importsOf(path, text)));
  return [...sources.keys()].filter((path) => !isOrphan(path) || imported.has(path));
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)].map(([, specifier = ""]) =>
    posix.join(posix.dirname(file), specifier),
  );
}

/** Files below a folder of the project, sorted; empty if it does not exist. Without output, packages and hidden folders. */
export function usersFiles(root: string, folder: string, out: string): string[] {
  return entriesOf(join(root, folder))
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      if (path === out) return [];
      return entry.isDirectory() ? usersFiles(root, path, out) : [path];
    })
    .sort();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
