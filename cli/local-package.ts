import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { appFolder } from "./app-folder.ts";
import { commandTable } from "./command-table.ts";

/**
 * The command line of the kirak that the app has installed, if it is not this package (`own` is its folder):
 * the version in package.json generates and serves an app. Null if this package runs the command, for example
 * because it needs no app: a package in a parent folder must not run by accident.
 */
export function localCommandLine(words: readonly string[], folder: string, own: string): URL | null {
  const app = isForApp(words) ? appFolder(folder) : null;
  const local = app === null ? null : installedFor(app);
  if (local === null || `${realpathSync(own)}${sep}`.startsWith(`${realpathSync(local)}${sep}`)) return null;
  const bin = Object(Object(packageIn(local))["bin"])["kirak"];
  const program = typeof bin === "string" ? join(local, bin) : null;
  return program !== null && existsSync(program) ? pathToFileURL(program) : null;
}

/** An unknown command can be one of a newer version, which the app has. */
function isForApp([first = "--help", second = "--help"]: readonly string[]): boolean {
  const name = first === "help" ? second : first;
  const where = commandTable.find((row) => row.name === name)?.where;
  return where !== "here" && !name.startsWith("-");
}

/** Where the app's kirak can be: next to the nearest package.json that names it, or at the workspace root. */
function installedFor(app: string): string | null {
  const project = nearest(app, isPackage);
  if (project === null || !namesKirak(project)) return null;
  const workspace = nearest(dirname(project), isWorkspace);
  const candidates = [project, ...(workspace === null ? [] : [workspace])];
  return candidates.map((folder) => join(folder, "node_modules", "kirak")).find(isPackage) ?? null;
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

/** The nearest folder, itself or a parent, that fulfils a condition. Null without one. */
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
