// @ts-check
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { CompileError } from "./compile-error.js";
import { filesBelow } from "./source-files.js";

/**
 * Moves what is the project's into the draft. The rest came by names of packages, which Node.js finds by itself, or is a mistake.
 *
 * @param {string} draft
 * @param {string} all
 * @param {string} own where the project's is in it
 */
export function takeOwn(draft, all, own) {
  const isOwn = (/** @type {string} */ file) => file.startsWith(`${own.split(sep).join("/")}/`) || own === "";
  const files = filesBelow(all, /\.(js|json)$/);
  if (!files.every(isOwn)) refuseOutside(files.filter(isOwn), all, own);
  for (const name of existsSync(join(all, own)) ? readdirSync(join(all, own)) : [])
    renameSync(join(all, own, name), join(draft, name));
  rmSync(all, { recursive: true, force: true });
}

/**
 * @param {readonly string[]} files
 * @param {string} all
 * @param {string} own
 */
function refuseOutside(files, all, own) {
  for (const file of files.filter((path) => path.endsWith(".js")))
    for (const [, path = ""] of readFileSync(join(all, file), "utf8").matchAll(
      /\bfrom\s*"(\.\.?\/[^"]+)"/g,
    )) {
      const target = relative(join(all, own), resolve(all, dirname(file), path));
      if (!target.startsWith("..")) continue;
      const from = relative(own, file).replace(/\.js$/, ".ts");
      throw new CompileError(
        `${from} imports ${path.replace(/\.js$/, ".ts")}, which is outside of this folder: make it a package, and import that`,
      );
    }
}
