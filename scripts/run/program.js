// @ts-check
/** Runs a TypeScript program of this repository that is not in the package. Passes on all further arguments. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, root } from "./compile.js";

const [path = "", ...words] = process.argv.slice(2);
process.argv = [process.argv[0] ?? "", path, ...words];
process.setSourceMapsEnabled(true);
if (compile(["lib", "programs"]))
  await import(pathToFileURL(join(root, "var", "programs", path.replace(/\.ts$/, ".js"))).href);
