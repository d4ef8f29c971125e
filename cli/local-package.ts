import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { appFolder } from "./app-folder.ts";
import { commandTable } from "./command-table.ts";

/**
 * The command line of the kirak that the app around a folder has installed, where that is another one than `own`, the folder of the
 * package that runs: an app is generated and served by the version that its package.json names. Null where this one goes on, which
 * it does in every place where no app is asked for: what lies above a folder by chance is no code to run.
 */
export function localCommandLine(words: readonly string[], folder: string, own: string): URL | null {
  const app = isForApp(words) ? appFolder(folder) : null;
  const local = app === null ? null : installedFor(app);
  if (local === null || `${realpathSync(own)}${sep}`.startsWith(`${realpathSync(local)}${sep}`)) return null;
  const bin = Object(Object(packageIn(local))["bin"])["kirak"];
  const program = typeof bin === "string" ? join(local, bin) : null;
  return program !== null && existsSync(program) ? pathToFileURL(program) : null;
}

/** A command that no one knows here may be one of a newer version, which the app has. */
function isForApp([first = "--help", second = "--help"]: readonly string[]): boolean {
  const name = first === "help" ? second : first;
  const where = commandTable.find((row) => row.name === name)?.where;
  return where !== "here" && !name.startsWith("-");
}

/** Where an app has its kirak: next to the package.json that names it, the nearest one, or at the root of the workspace around that. */
function installedFor(app: string): string | null {
  const project = nearest(app, isPackage);
  if (project === null || !namesKirak(project)) return null;
  const workspace = nearest(dirname(project), isWorkspace);
  const places = [project, ...(workspace === null ? [] : [workspace])];
  return places.map((folder) => join(folder, "node_modules", "kirak")).find(isPackage) ?? null;
}

function namesKirak(folder: string): boolean {
  const stated = Object(packageIn(folder));
  return ["dependencies", "devDependencies", "optionalDependencies"].some((kind) =>
    Object.hasOwn(Object(stated[kind]), "kirak"),
  );
}

function isWorkspace(folder: string): boolean {
  return (
    existsSync(join(folder, "pnpm-workspace.yaml")) || Object.hasOwn(Object(packageIn(folder)), "workspaces")
  );
}

function isPackage(folder: string): boolean {
  return existsSync(join(folder, "package.json"));
}

/** The nearest folder, itself or one above it, that is such a one; null where none is. */
function nearest(folder: string, isOne: (folder: string) => boolean): string | null {
  if (isOne(folder)) return folder;
  const above = dirname(folder);
  return above === folder ? null : nearest(above, isOne);
}

/** Content of a package.json; null if it does not exist or is not JSON, which npm has reported already. */
function packageIn(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return null;
  }
}
