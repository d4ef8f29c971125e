import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { root } from "../../scripts/run/compile.js";

/** A module of this repository as JavaScript, for a process of its own. The global setup compiles once in a run. */
export function compiled(module: URL): URL {
  const path = relative(root, fileURLToPath(module)).replace(/\.ts$/, ".js");
  const isInPackage = /^(cli|generator|runtime|vocabulary)\//.test(path);
  return pathToFileURL(join(root, isInPackage ? "lib" : "var/programs", path));
}
