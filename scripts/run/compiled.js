// @ts-check
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compiledTree } from "../../cli/app/compile-tree.js";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** What browsers run: compiled with settings of its own for a build, among all else where no types are looked at. */
export const page = "runtime/monitoring/dashboard/page";

/** What the package is made of, and what this repository has beside it. */
const packageFolders = ["vocabulary", "schemas", "generator", "runtime", "cli"];
const everything = [...packageFolders, "scripts", "models", "generated", "benchmark"];

/** What each program is made of, by the folder of its first file; all else is made of everything. */
const parts = { cli: packageFolders };

/**
 * The URL of a file of TypeScript as JavaScript, with all that it may import beside it, and `kirak/…` leading there; null where
 * the compiler is not installed.
 *
 * @param {string} path relative to the project
 * @returns {URL | null}
 */
export function compiled(path) {
  const [top = ""] = path.split("/");
  const folders = Object.entries(parts).find(([name]) => name === top)?.[1] ?? everything;
  const tree = treeOf(folders, "code");
  return tree === null ? null : pathToFileURL(join(tree, path.replace(/\.ts$/, ".js")));
}

/** The path of a folder with all of the repository and its tests as JavaScript. */
export function testTree() {
  return treeOf([...everything, "test"], "code");
}

/** The path of a folder with the declarations of the package. */
export function declarationTree() {
  return treeOf(["vocabulary", "schemas", "runtime"], "declarations");
}

/**
 * @param {readonly string[]} folders
 * @param {"code" | "declarations"} what
 */
function treeOf(folders, what) {
  return compiledTree({
    root,
    folders,
    what,
    beside: ["templates"],
    without: ["test/generator/golden"],
    furnish(tree) {
      if (folders.includes("runtime")) copyPage(tree);
      writeFileSync(join(tree, "package.json"), JSON.stringify(packageOf(tree)));
    },
  });
}

/**
 * Copies what of the page no compiler reads into a tree of JavaScript.
 *
 * @param {string} tree
 */
export function copyPage(tree) {
  if (!existsSync(join(root, page))) return;
  const isCopied = (/** @type {string} */ path) => !/\.(ts|json)$/.test(path);
  cpSync(join(root, page), join(tree, page), { recursive: true, filter: isCopied });
}

/**
 * The project's own, with its doors leading into the tree.
 *
 * @param {string} tree
 */
function packageOf(tree) {
  /** @type {{ exports: Record<string, string | { "kirak-source": string }> }} */
  const { exports, ...own } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const doors = Object.entries(exports)
    .map(([door, to]) => [door, typeof to === "string" ? to : to["kirak-source"].replace(/\.ts$/, ".js")])
    .filter(([, file = ""]) => file === "./package.json" || existsSync(join(tree, file)));
  const imports = Object.fromEntries(everything.map((program) => [`#${program}/*`, `./${program}/*.js`]));
  return { ...own, exports: Object.fromEntries(doors), imports };
}
