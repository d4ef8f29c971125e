import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Sources } from "../diagnostics/index.ts";
import { parsedJson } from "../output/lock-file.ts";

/**
 * TypeScript files that users write, with their texts: hooks and the modules they import, all below the folder of the
 * models file (path relative to `root`). If the models file is at the top of the project, only `usersTopFolders` count as user code.
 * Without what the service does not run: tests may need what is generated first.
 */
export function usersSources(root: string, models: string, out: string): [path: string, text: string][] {
  const unbuilt = ignoredFolders(root);
  return usersFolders(models)
    .flatMap((folder) => usersFiles(root, folder, out))
    .filter((path) => path.endsWith(".ts") && !unbuilt.some((left) => path.startsWith(`${left}/`)))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

/** All user code that can fill tables: modules, also those that the service does not run, and SQL. */
export function usersScripts(root: string, models: string, out: string): [path: string, text: string][] {
  return usersFolders(models)
    .flatMap((folder) => usersFiles(root, folder, out))
    .filter((path) => /(?<!\.test)\.(ts|js|sql)$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

/** Folders of a project's top that are the user's own, where its models file is there. */
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
 * Those of the user's files that are worth compiling: all but hook files that nothing runs, which a warning names
 * already, unless another file imports them. `run` are the hook files that run.
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

/** Files below a folder of the project, sorted; none where it is gone. Output, packages and hidden folders are left out. */
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
