// @ts-check
/** The command line of the package, for the app at the root of this repository. */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compile, root } from "./compile.js";

// `kirak dev` starts processes of this file, which compile again.
process.argv[1] = fileURLToPath(import.meta.url);
if (compile(["lib"])) await import(pathToFileURL(join(root, "lib", "cli", "kirak.js")).href);
