import { cpSync, existsSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandError } from "#runtime/process/index";
import { lockFile } from "#vocabulary/models-folder";
import { ownPackage } from "../own-package.ts";
import { appBuild } from "./app-build.ts";
import { buildState } from "./build-mark.js";
import { CompileError } from "./compile-error.js";
import { compiledTree } from "./compile-tree.js";

/** What an app is made of, whichever of its files is run. */
const appFolders = ["models", "generated"];

/**
 * A module of an app as JavaScript, by its path relative to the app: of its build, where that is of the very sources that are here,
 * else compiled for this run. Throws a CommandError where there is neither.
 */
export function appModule(root: string, path: string): URL {
  const javaScript = javaScriptOf(path);
  const state = buildState(appBuild(root));
  const built = join(root, "dist", javaScript);
  if (state === "current" && existsSync(built) && runsWithThisPackage(built)) return pathToFileURL(built);
  const tree = compiledApp(root, path);
  if (tree !== null) {
    process.setSourceMapsEnabled(true);
    return pathToFileURL(join(tree, javaScript));
  }
  const reason = state === "absent" ? "there is no build in dist/" : "dist/ was built from other sources";
  throw new CommandError(
    `${reason}, and development dependencies, which run the sources themselves, are not installed: ` +
      "run npm ci --include=dev && npm run build",
  );
}

/** The same for a file as somebody types its path; one of JavaScript runs as it is. Throws a CommandError. */
export function ownModule(root: string, typed: string): URL {
  const path = relative(root, resolve(root, typed)).split(sep).join("/");
  if (path.startsWith("../")) throw new CommandError(`${typed} is not in ${root}`);
  const isTypeScript = extname(path) === ".ts";
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  // In an image there may be the build alone.
  if (found === undefined && !(isTypeScript && existsSync(join(root, "dist", javaScriptOf(path)))))
    throw new CommandError(`${typed} is missing`);
  if (found?.isFile() === false) throw new CommandError(`${typed} is a folder`);
  return isTypeScript ? appModule(root, path) : pathToFileURL(join(root, path));
}

function javaScriptOf(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/** A build imports the package by its name: two of it in one process would not know of each other. */
function runsWithThisPackage(built: string): boolean {
  try {
    const imported = dirname(createRequire(built).resolve("kirak/package.json"));
    return realpathSync(imported) === realpathSync(ownPackage().folder);
  } catch {
    return false;
  }
}

/** A folder with the app as JavaScript, which imports the package that compiles it; null where the compiler is not installed. */
function compiledApp(root: string, path: string): string | null {
  const [top = path] = path.split("/");
  const target = realpathSync(ownPackage().folder);
  const folders = [...new Set([...appFolders, top])];
  const furnish = (tree: string) => furnishTree(root, tree, target);
  try {
    return compiledTree({ root, folders, furniture: target, furnish });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

/** `kirak` leads to the package that runs the tree, wherever that is. */
function furnishTree(root: string, tree: string, target: string): void {
  writeFileSync(join(tree, "package.json"), JSON.stringify({ type: "module" }));
  copyLock(root, tree);
  mkdirSync(join(tree, "node_modules"));
  symlinkSync(target, join(tree, "node_modules", "kirak"), "junction");
}

/** The lock says by which kirak the code beside it was generated. */
export function copyLock(root: string, tree: string): void {
  const path = join("generated", lockFile);
  if (existsSync(join(root, path))) cpSync(join(root, path), join(tree, path));
}
