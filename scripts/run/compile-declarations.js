// @ts-check
/** Prints the path of a folder that holds the declarations of the runtime, for tests that compile what imports it. */
import { declarationTree } from "./compiled.js";

process.stdout.write(declarationTree() ?? "");
