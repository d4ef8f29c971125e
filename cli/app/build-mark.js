// @ts-check
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourcesAt, textAt } from "./source-files.js";

// JavaScript: this repository asks by it whether the package itself is built.

/**
 * A folder of JavaScript that was built by the settings of a file, which says what of the project it holds.
 *
 * @typedef {object} Build
 * @property {string} root the project's folder
 * @property {string} folder where the build is, relative to the project
 * @property {string} settings a tsconfig.json, relative to the project
 * @property {readonly string[]} [further] what the build holds beside what the settings include
 * @property {string} source without this folder the build is all there is, as in an image
 */

/** Says which sources a build is of. It comes last, so that a build that failed has none. */
export const mark = "sources.sha256";

/**
 * Whether a build is of the sources that are here. By content: copies and checkouts change the times of files.
 *
 * @param {Build} build
 * @returns {"current" | "outdated" | "absent"}
 */
export function buildState(build) {
  const file = join(build.root, build.folder, mark);
  if (!existsSync(file)) return "absent";
  if (!existsSync(join(build.root, build.source))) return "current";
  return readFileSync(file, "utf8") === checksum(build) ? "current" : "outdated";
}

/**
 * Marks a build as that of the sources that are here.
 *
 * @param {Build} build
 */
export function markBuild(build) {
  writeFileSync(join(build.root, build.folder, mark), checksum(build));
}

/**
 * Of all that a build is made of, but the models and the manifest, which no code holds.
 *
 * @param {Build} build
 */
function checksum({ root, settings, further = [] }) {
  /** @type {{ include?: string[], exclude?: string[] }} */
  const { include = [], exclude = [] } = JSON.parse(textAt(join(root, settings)) || "{}");
  const files = include.flatMap((path) => sourcesAt(root, path));
  const built = files.filter((file) => !exclude.some((folder) => file.startsWith(`${folder}/`)));
  const beside = further.flatMap((path) => sourcesAt(root, path));
  const paths = [settings, "tsconfig.json", ...built, ...beside].filter(
    (file) => !/^models\/[^/]+\.json$/.test(file),
  );
  const hash = createHash("sha256");
  for (const path of [...new Set(paths)].sort())
    hash
      .update(`${path}\0`)
      .update(textAt(join(root, path)))
      .update("\0");
  return `${hash.digest("hex")}\n`;
}
