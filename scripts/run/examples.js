// @ts-check
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * What `kirak init` starts an app with, by the name of its flag `--example`: paths of this repository, by where they come to be in the
 * app. What is generated was made in the example's own folder, as an app of its own.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const examples = {
  blank: of("examples/blank"),
  bookshop: {
    models: "models",
    generated: "generated",
    "test/service.test.ts": "models/test/service.test.ts",
  },
  saas: of("examples/tracker"),
};

/** What of them is this repository's own: its tests, and rows to try it with. */
const left = ["models/seed", "models/test"];

/**
 * Copies the examples to `<folder>/<name>/`, as the package holds them.
 *
 * @param {string} folder
 */
export function copyExamples(folder) {
  for (const [name, paths] of Object.entries(examples))
    for (const [to, from] of Object.entries(paths)) {
      const source = join(root, from);
      if (!existsSync(source)) continue;
      const isTaken = (/** @type {string} */ path) =>
        !left.includes(relative(root, path).split(sep).join("/"));
      const target = join(folder, name, to);
      mkdirSync(join(target, ".."), { recursive: true });
      cpSync(source, target, { recursive: true, filter: (path) => path === source || isTaken(path) });
    }
}

/** @param {string} folder */
function of(folder) {
  const parts = ["models", "generated", "test/service.test.ts"];
  return Object.fromEntries(parts.map((part) => [part, `${folder}/${part}`]));
}
