// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** What a program is made of: code, and what it reads beside itself. */
const kinds = /\.(ts|json|hbs|html|css|svg)$/;

/**
 * The sources at a path, a file or a folder, relative to the project.
 *
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
export function sourcesAt(root, path) {
  const full = join(root, path);
  if (statSync(full, { throwIfNoEntry: false })?.isFile() === true) return [path];
  return filesBelow(full, kinds).map((file) => `${path}/${file}`);
}

/**
 * Files of a folder, relative to it; none where it is gone.
 *
 * @param {string} folder
 * @param {RegExp} kind
 * @returns {string[]}
 */
export function filesBelow(folder, kind) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/**
 * The text of a file; of one that is gone it is empty.
 *
 * @param {string} path
 */
export function textAt(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** @param {readonly string[]} texts */
export function sumOf(texts) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}\0`).update(text);
  return hash.digest("hex").slice(0, 32);
}
