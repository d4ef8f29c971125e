// @ts-check
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { copyPage } from "./build.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Each tree is called after the sum of what it was made of, so that another text is never taken for it. */
const trees = join(root, "var", "kirak", "compiled");
/** The newest trees stay, and for a day all others: a process of theirs reads templates, and may load a module, at any time. */
const kept = { newest: 8, hours: 24 };

/** What each program is made of, by the folder of its first file; all else is made of everything. */
const parts = { generator: ["vocabulary", "schemas", "generator"] };
/** The product, without an app. */
export const ofPackage = ["vocabulary", "schemas", "generator", "runtime", "cli"];
export const everything = [...ofPackage, "scripts", "models", "generated", "benchmark"];
/** What programs read beside themselves. */
const beside = ["templates"];

/**
 * The URL of a file of TypeScript as JavaScript, with all that it may import beside it, and `kirak/…` leading there; null where
 * the compiler is not installed.
 *
 * @param {string} path relative to the project
 * @returns {URL | null}
 */
export function compiled(path) {
  const tree = compiledTree(foldersOf(path));
  return tree === null ? null : pathToFileURL(join(tree, path.replace(/\.ts$/, ".js")));
}

/**
 * The path of a folder that holds some of the project's as JavaScript; null where the compiler is not installed. What has the
 * same content was compiled before. Types are not checked, which takes ten times as long: `npm run typecheck` does it.
 *
 * @param {readonly string[]} folders
 * @param {"code" | "declarations"} what
 * @returns {string | null}
 */
export function compiledTree(folders, what = "code") {
  const compiler = compilerFolder();
  if (compiler === null) return null;
  const version = readFileSync(join(compiler, "package.json"), "utf8");
  for (;;) {
    const sources = sourcesOf(folders, `${version} ${what}`);
    const tree = join(trees, sources.sum);
    if (holds(tree)) {
      markUsed(tree);
      return tree;
    }
    // Somebody may save a file meanwhile: then what was compiled is not what the sum says.
    const isSame = () => sourcesOf(folders, `${version} ${what}`).sum === sources.sum;
    if (make(tree, sources.files, { folders, what, compiler }, isSame)) return tree;
  }
}

/**
 * The files of some folders and the sum of all that they are compiled from.
 *
 * @param {readonly string[]} folders
 * @param {string} version
 */
function sourcesOf(folders, version) {
  const files = [...folders, ...beside].flatMap(sourcesIn).sort();
  const settings = ["package.json", "tsconfig.json"].map(textOf);
  const sum = sumOf([version, ...settings, ...files.flatMap((file) => [file, textOf(file)])]);
  return { files: new Set(files), sum };
}

/** Which sources of other folders a tree was made of as well, with their sums: somebody imports them. */
const elsewhere = "elsewhere.json";

/**
 * Whether a tree is there, and the sources of other folders are what they were.
 *
 * @param {string} tree
 */
function holds(tree) {
  if (!existsSync(join(tree, elsewhere))) return false;
  /** @type {Record<string, string>} */
  const sums = JSON.parse(readFileSync(join(tree, elsewhere), "utf8"));
  return Object.entries(sums).every(
    ([file, sum]) => existsSync(join(root, file)) && sumOf([textOf(file)]) === sum,
  );
}

/** @param {readonly string[]} files */
function sumsOf(files) {
  return Object.fromEntries(files.map((file) => [file, sumOf([textOf(file)])]));
}

/** @param {string} path */
function foldersOf(path) {
  const [top = ""] = path.split("/");
  return Object.entries(parts).find(([name]) => name === top)?.[1] ?? everything;
}

function compilerFolder() {
  try {
    return dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  } catch {
    return null;
  }
}

/**
 * Files of a folder of the project, relative to the project.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(folder) {
  return filesBelow(join(root, folder), /\.(ts|json|hbs|html|css|svg)$/).map((file) => `${folder}/${file}`);
}

/**
 * @param {string} folder
 * @param {RegExp} kind
 * @returns {string[]}
 */
function filesBelow(folder, kind) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kind.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** @param {string} file */
function textOf(file) {
  return readFileSync(join(root, file), "utf8");
}

/** @param {readonly string[]} texts */
function sumOf(texts) {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}\0`).update(text);
  return hash.digest("hex").slice(0, 32);
}

/**
 * A tree gets its name when it is whole. Of two processes that make the same one the first wins. False where the sources changed
 * meanwhile.
 *
 * @param {string} tree
 * @param {ReadonlySet<string>} files
 * @param {Making} making
 * @param {() => boolean} isSame
 */
function make(tree, files, making, isSame) {
  const { folders } = making;
  const draft = newDraft();
  const startedAt = Date.now();
  try {
    emit(draft, making);
    for (const folder of beside.filter((name) => existsSync(join(root, name))))
      cpSync(join(root, folder), join(draft, folder), { recursive: true });
    if (folders.includes("runtime")) copyPage(draft);
    writeFileSync(join(draft, "package.json"), JSON.stringify(packageOf(draft)));
    const others = filesBelow(draft, /\.(js|json)$/)
      .filter((file) => !own.has(file))
      .map((file) => file.replace(/\.js$/, ".ts"))
      .filter((file) => !files.has(file));
    writeFileSync(join(draft, elsewhere), JSON.stringify(sumsOf(others)));
    if (!isSame() || others.some((file) => statSync(join(root, file)).mtimeMs >= startedAt)) return false;
    rename(draft, tree);
    removeOld();
    return true;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Files of a tree that come from no source of their name. */
const own = new Set(["package.json", "tsconfig.json", elsewhere]);

/** A folder for a tree that is being made; other users may run it as well. */
function newDraft() {
  try {
    mkdirSync(trees, { recursive: true });
    const draft = mkdtempSync(join(trees, "draft-"));
    chmodSync(draft, 0o755);
    return draft;
  } catch (error) {
    throw new Error(
      `${trees} cannot be written, where the sources are compiled: let this user write there, or run npm run build before`,
      { cause: error },
    );
  }
}

/**
 * What a tree is made of, and by which compiler.
 *
 * @typedef {{ folders: readonly string[], what: "code" | "declarations", compiler: string }} Making
 */

/**
 * @param {string} draft
 * @param {Making} making
 */
function emit(draft, { folders, what, compiler }) {
  const settings = join(draft, "tsconfig.json");
  // Declarations name types of Node.js.
  const kind = what === "code" ? { types: [] } : { declaration: true, emitDeclarationOnly: true };
  const compilerOptions = {
    ...kind,
    noEmit: false,
    noCheck: true,
    sourceMap: true,
    outDir: draft,
    rootDir: root,
  };
  const include = folders
    .filter((folder) => existsSync(join(root, folder)))
    .map((folder) => join(root, folder));
  // What browsers run as well: where nothing is checked, it needs no settings of its own.
  const exclude = [join(root, "test", "generator", "golden")];
  const text = JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include, exclude });
  writeFileSync(settings, text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(compiler, "bin", "tsc"), "--project", settings, "--pretty", "false"],
    { encoding: "utf8" },
  );
  // Of a type that is not exported declarations cannot say the name: it is complained of, and all of them are written.
  const isWritten = what === "declarations" && filesBelow(draft, /\.d\.ts$/).length > 0;
  if (status !== 0 && !isWritten) throw new Error(`the sources cannot be compiled:\n${stdout}${stderr}`);
}

/**
 * The project's own, with its doors leading into the tree.
 *
 * @param {string} draft
 */
function packageOf(draft) {
  /** @type {{ name: string, type: string, exports: Record<string, { source: string }> }} */
  const { name, type, exports } = JSON.parse(textOf("package.json"));
  const doors = Object.entries(exports).map(([door, { source }]) => [door, source.replace(/\.ts$/, ".js")]);
  return {
    name,
    type,
    exports: Object.fromEntries(doors.filter(([, file = ""]) => existsSync(join(draft, file)))),
  };
}

/**
 * @param {string} draft
 * @param {string} tree
 */
function rename(draft, tree) {
  try {
    renameSync(draft, tree);
  } catch {
    if (holds(tree)) return;
    // A tree of other sources elsewhere.
    rmSync(tree, { recursive: true, force: true });
    try {
      renameSync(draft, tree);
    } catch (error) {
      if (!holds(tree)) throw error;
    }
  }
}

/**
 * Another user may have made it.
 *
 * @param {string} tree
 */
function markUsed(tree) {
  try {
    utimesSync(tree, new Date(), new Date());
  } catch {}
}

/** Those that nobody started for longest. */
function removeOld() {
  const usedAt = (/** @type {string} */ name) =>
    statSync(join(trees, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(trees).map((name) => ({ name, at: usedAt(name) }));
  const oldest = Date.now() - kept.hours * 3_600_000;
  const old = names.sort((a, b) => b.at - a.at).slice(kept.newest);
  for (const { name } of old.filter(({ at }) => at < oldest))
    rmSync(join(trees, name), { recursive: true, force: true });
}
