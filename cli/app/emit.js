// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, parse, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { installedFile } from "../../generator/packages/installed-file.js";
import { CompileError } from "./compile-error.js";
import { filesBelow } from "./source-files.js";
import { takeOwn } from "./take-own.js";

/** The settings of one compilation, beside what it writes. */
export const settingsFile = "tsconfig.json";

/**
 * The folder of the compiler, or null where it is not installed.
 *
 * @param {string} root
 */
export function compilerFolder(root) {
  const manifest = installedFile("typescript", "package.json", root);
  return manifest === null ? null : dirname(manifest);
}

/**
 * Runs the compiler in a project, by settings with an absolute path. Gives what it complains of; empty where it does not.
 *
 * @param {string} root
 * @param {string} compiler
 * @param {string} settings
 */
export function runCompiler(root, compiler, settings) {
  const words = [join(compiler, "bin", "tsc"), "--project", settings, "--pretty", "false"];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  return status === 0 ? "" : `${stdout}${stderr}` || `the compiler ended with ${status}`;
}

/**
 * Writes a program as JavaScript, or its declarations, without a look at types. Throws a CompileError.
 *
 * @param {string} draft
 * @param {import("./compile-tree.js").Program} program
 * @param {string} compiler
 */
export function emit(draft, { root, folders, without = [], what = "code" }, compiler) {
  const settings = join(draft, settingsFile);
  // Of a file outside of the project, which somebody imports, the compiler writes JavaScript outside of the draft otherwise.
  const top = parse(root).root;
  const all = join(draft, "all");
  // Declarations name types of Node.js.
  const kind =
    what === "code" ? { types: [], declaration: false } : { declaration: true, emitDeclarationOnly: true };
  const compilerOptions = {
    ...kind,
    composite: false,
    incremental: false,
    noEmit: false,
    noCheck: true,
    sourceMap: true,
    rewriteRelativeImportExtensions: true,
    outDir: all,
    rootDir: top,
    sourceRoot: pathToFileURL(top).href,
    module: "nodenext",
    moduleResolution: "nodenext",
    // Packages are not compiled along, whatever else the project's settings have them lead to.
    customConditions: [],
  };
  const there = folders.filter((path) => existsSync(join(root, path))).map((path) => join(root, path));
  const files = there.filter((path) => path.endsWith(".ts"));
  const include = there.filter((path) => !path.endsWith(".ts"));
  const exclude = without.map((folder) => join(root, folder));
  const own = existsSync(join(root, "tsconfig.json")) ? { extends: join(root, "tsconfig.json") } : {};
  writeFileSync(
    settings,
    JSON.stringify({ ...own, compilerOptions, ...(files.length > 0 && { files }), include, exclude }),
  );
  const complaints = runCompiler(root, compiler, settings);
  // Of a type that is not exported declarations cannot say the name: it is complained of, and all of them are written.
  const isWritten = what === "declarations" && filesBelow(draft, /\.d\.ts$/).length > 0;
  if (complaints !== "" && !isWritten)
    throw new CompileError(`the sources cannot be compiled:\n${complaints}`);
  takeOwn(draft, all, relative(top, root));
}
