// @ts-check
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Says which sources `dist/` was built from. It comes last, so that a build that failed has none. */
const mark = join(root, "dist", "sources.sha256");
const settings = "tsconfig.build.json";
/** What browsers run: compiled with settings of its own, into the same tree. */
const page = "runtime/monitoring/dashboard/page";

/**
 * Whether `dist/` holds a build of the sources that are here. By content: copies and checkouts change the times of files.
 * Where the sources are away, as in an image, the build is all there is.
 *
 * @returns {"current" | "outdated" | "absent"}
 */
export function buildState() {
  if (!existsSync(mark)) return "absent";
  if (!existsSync(join(root, "runtime"))) return "current";
  return readFileSync(mark, "utf8") === checksum() ? "current" : "outdated";
}

/** Marks `dist/` as the build of the sources that are here. */
export function markBuild() {
  writeFileSync(mark, checksum());
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

/** Of all that a build is made of. */
function checksum() {
  /** @type {{ include: string[], exclude?: string[] }} */
  const { include, exclude = [] } = JSON.parse(readFileSync(join(root, settings), "utf8"));
  const files = ["schemas", ...include].flatMap(filesIn);
  const built = files.filter((file) => !exclude.some((folder) => file.startsWith(`${folder}/`)));
  const paths = [settings, "tsconfig.json", ...built, ...filesIn(page)];
  const hash = createHash("sha256");
  for (const path of paths.sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return `${hash.digest("hex")}\n`;
}

/** What a build reads at a path, relative to the project; but the models and the manifest, which no code holds.
 *
 * @param {string} path
 */
function filesIn(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|json|html|css|svg)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !/^models\/[^/]+\.json$/.test(file));
}
