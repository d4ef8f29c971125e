// @ts-check
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** `lib/` is the package, `declarations` are its types, and `var/programs/` all other programs. */
const settings = {
  lib: "tsconfig.lib.json",
  programs: "tsconfig.programs.json",
  declarations: "tsconfig.package.json",
};

/** Folders with files of pages, which the package reads at run time. */
const pages = [
  "runtime/modules/auth/http/sign-in-page/page",
  "runtime/modules/docs/page",
  "runtime/modules/monitoring/dashboard/page",
];

/**
 * Compiles changed files of this repository without type checks. Returns false, with a message, on failure.
 * An image has `lib/`, but no sources and no compiler: then there is nothing to compile.
 *
 * @param {readonly (keyof typeof settings)[]} parts
 * @param {readonly string[]} flags of tsc
 */
export function compile(parts, ...flags) {
  const isBuilt = existsSync(join(root, "lib", "cli", "kirak.js"));
  const compiler = existsSync(join(root, "runtime")) ? installedCompiler() : null;
  if (compiler === null) {
    if (isBuilt) return true;
    return refuse(
      "lib/ has no build, and development dependencies are not installed: run npm ci --include=dev",
    );
  }
  if (!isBuilt) process.stderr.write("compiling the sources\n");
  const words = [compiler, "--build", ...parts.map((part) => settings[part]), ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  if (status !== 0) return refuse(`the sources cannot be compiled:\n${stdout}${stderr}`.trimEnd());
  const isOfPage = (/** @type {string} */ path) => !/\.(ts|json)$/.test(path);
  copyToLib("templates", () => true);
  for (const page of pages) copyToLib(page, isOfPage);
  return true;
}

/**
 * Copies changed files: cpSync removes the old file first, and another process may be reading it.
 *
 * @param {string} folder
 * @param {(path: string) => boolean} isCopied
 */
function copyToLib(folder, isCopied) {
  cpSync(join(root, folder), join(root, "lib", folder), {
    recursive: true,
    filter: (from, to) => isCopied(from) && (statSync(from).isDirectory() || !isSame(from, to)),
  });
}

/** @param {string} from @param {string} to */
function isSame(from, to) {
  return existsSync(to) && readFileSync(from).equals(readFileSync(to));
}

/** The path of tsc, or null. */
export function installedCompiler() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  } catch {
    return null;
  }
}

/** @param {string} message */
function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
  return false;
}
