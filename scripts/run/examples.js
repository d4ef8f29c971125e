// @ts-check
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Examples of `kirak init --example`: source paths in this repository by their path in the app. Generated code comes
 * from the example's folder, which is an app itself.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const examples = {
  blank: pathsIn("examples/blank"),
  bookshop: {
    models: "models",
    generated: "generated",
    "test/service.test.ts": "models/test/service.test.ts",
  },
  saas: pathsIn("examples/tracker"),
};

/** Files of an example that only this repository needs: its tests, and sample rows. */
const excluded = ["models/seed", "models/test"];

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
      const isCopied = (/** @type {string} */ path) =>
        !excluded.includes(relative(root, path).split(sep).join("/"));
      const target = join(folder, name, to);
      mkdirSync(join(target, ".."), { recursive: true });
      cpSync(source, target, { recursive: true, filter: (path) => path === source || isCopied(path) });
    }
}

/** @param {string} folder */
function pathsIn(folder) {
  const parts = ["models", "generated", "test/service.test.ts"];
  return Object.fromEntries(parts.map((part) => [part, `${folder}/${part}`]));
}
