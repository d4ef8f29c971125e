// @ts-check
/** Prints the path of a folder that holds the project and its tests as JavaScript, for processes that tests start. */
import { testTree } from "./compiled.js";

process.stdout.write(testTree() ?? "");
