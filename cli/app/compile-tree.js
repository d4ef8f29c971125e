// @ts-check
import { cpSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compilerFolder, emit, settingsFile } from "./emit.js";
import { filesBelow, sourcesAt, sumOf, textAt } from "./source-files.js";
import { markUsed, newDraft, removeOld } from "./tree-store.js";

// JavaScript: this repository compiles the package itself by it, where nothing reads TypeScript yet.

/**
 * What is compiled into one folder.
 *
 * @typedef {object} Program
 * @property {string} root the project's folder
 * @property {readonly string[]} folders what is compiled: folders and files, relative to the project
 * @property {readonly string[]} [beside] folders that programs read, and that are copied
 * @property {readonly string[]} [without] folders that are left out
 * @property {"code" | "declarations"} [what] default code
 * @property {string} [furniture] names what `furnish` makes: two that differ have trees of their own
 * @property {(tree: string) => void} [furnish] makes what else stands in the tree, its package.json for one
 */

/** Which sources of other folders a tree was made of as well, with their sums: somebody imports them. */
const elsewhere = "elsewhere.json";

/** Files of a tree that come from no source of their name. */
const own = new Set(["package.json", settingsFile, elsewhere]);

/**
 * The path of a folder that holds a program as JavaScript; null where the compiler is not installed. What has the same content was
 * compiled before. Types are not checked, which takes ten times as long. Throws a CompileError.
 *
 * @param {Program} program
 * @returns {string | null}
 */
export function compiledTree(program) {
  const compiler = compilerFolder(program.root);
  if (compiler === null) return null;
  const version = textAt(join(compiler, "package.json"));
  for (;;) {
    const sources = sourcesOf(program, version);
    const tree = join(treesOf(program), sources.sum);
    if (holds(tree, program.root)) {
      markUsed(tree);
      return tree;
    }
    // Somebody may save a file meanwhile: then what was compiled is not what the sum says.
    const isSame = () => sourcesOf(program, version).sum === sources.sum;
    if (make(tree, { program, compiler, files: sources.files, isSame })) return tree;
  }
}

/**
 * Each tree is called after the sum of what it was made of, so that another text is never taken for it.
 *
 * @param {Program} program
 */
function treesOf({ root }) {
  return join(root, "var", "kirak", "compiled");
}

/**
 * The files of a program and the sum of all that it is compiled from.
 *
 * @param {Program} program
 * @param {string} version
 */
function sourcesOf({ root, folders, beside = [], what = "code", furniture = "" }, version) {
  const files = [...folders, ...beside].flatMap((folder) => sourcesAt(root, folder)).sort();
  const settings = ["package.json", "tsconfig.json"].map((file) => textAt(join(root, file)));
  const texts = files.flatMap((file) => [file, textAt(join(root, file))]);
  return {
    files: new Set(files),
    sum: sumOf([`${version} ${what} ${furniture}`, ...folders, ...settings, ...texts]),
  };
}

/**
 * Whether a tree is there, and the sources of other folders are what they were.
 *
 * @param {string} tree
 * @param {string} root
 */
function holds(tree, root) {
  if (!existsSync(join(tree, elsewhere))) return false;
  /** @type {Record<string, string>} */
  const sums = JSON.parse(textAt(join(tree, elsewhere)));
  return Object.entries(sums).every(
    ([file, sum]) => existsSync(join(root, file)) && sumOf([textAt(join(root, file))]) === sum,
  );
}

/**
 * @typedef {object} Making
 * @property {Program} program
 * @property {string} compiler
 * @property {ReadonlySet<string>} files
 * @property {() => boolean} isSame whether the sources are still what they were
 */

/**
 * A tree gets its name when it is whole. Of two processes that make the same one the first wins. False where the sources changed
 * meanwhile.
 *
 * @param {string} tree
 * @param {Making} making
 */
function make(tree, { program, compiler, files, isSame }) {
  const { root, beside = [], furnish = () => {} } = program;
  const draft = newDraft(treesOf(program));
  const startedAt = Date.now();
  // A start takes seconds then, and is silent else.
  if (["start", "dev"].includes(process.argv[2] ?? ""))
    process.stderr.write("compiling the sources, once after each change\n");
  try {
    emit(draft, program, compiler);
    const others = filesBelow(draft, /\.(js|json)$/)
      .filter((file) => !own.has(file))
      .map((file) => file.replace(/\.js$/, ".ts"))
      .filter((file) => !files.has(file) && existsSync(join(root, file)));
    for (const folder of beside.filter((name) => existsSync(join(root, name))))
      cpSync(join(root, folder), join(draft, folder), { recursive: true });
    furnish(draft);
    const sums = others.map((file) => [file, sumOf([textAt(join(root, file))])]);
    writeFileSync(join(draft, elsewhere), JSON.stringify(Object.fromEntries(sums)));
    if (!isSame() || others.some((file) => statSync(join(root, file)).mtimeMs >= startedAt)) return false;
    rename(draft, tree, root);
    removeOld(treesOf(program));
    return true;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param {string} draft
 * @param {string} tree
 * @param {string} root
 */
function rename(draft, tree, root) {
  try {
    renameSync(draft, tree);
  } catch {
    if (holds(tree, root)) return;
    // A tree of other sources elsewhere.
    rmSync(tree, { recursive: true, force: true });
    try {
      renameSync(draft, tree);
    } catch (error) {
      if (!holds(tree, root)) throw error;
    }
  }
}
