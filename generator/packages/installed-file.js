// @ts-check
import { createRequire } from "node:module";
import { join } from "node:path";

// JavaScript: this repository finds its compiler by it, where nothing reads TypeScript yet.

/**
 * The path of a module of a package of development: beside this package, or else in the folder of an app, as where npx fetched this
 * package alone. Null where it is in neither.
 *
 * @param {string} name
 * @param {string} file
 * @param {string} app
 * @returns {string | null}
 */
export function installedFile(name, file, app) {
  for (const from of [import.meta.url, join(app, "package.json")])
    try {
      return createRequire(from).resolve(`${name}/${file}`);
    } catch {}
  return null;
}
