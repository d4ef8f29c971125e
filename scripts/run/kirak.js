// @ts-check

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildState } from "./build.js";
import { compiledTree, everything, ofPackage } from "./compiled.js";

/**
 * Runs `kirak` of this repository as this process, with the words of the command line: the build of it, where `dist/` holds one of
 * these very sources, else the source itself, compiled for this run. JavaScript, as it runs where nothing reads TypeScript yet.
 */
const [command = ""] = process.argv.slice(2);
/** These need no build, and are in none. */
const ofDevelopment = ["generate", "introspect", "token"];
/** These run code of the app as well. */
const withApp = ["start", "migrate", "worker", "create-admin"];

const remedy = "npm ci --include=dev && npm run build";
const withoutCompiler = "and development dependencies, which run the sources themselves, are not installed";
const state = ofDevelopment.includes(command) ? "absent" : buildState();
const program = state === "current" ? new URL("../../dist/cli/kirak.js", import.meta.url) : fromSources();

if (program === null) {
  const reason = state === "absent" ? "there is no build in dist/" : "dist/ was built from other sources";
  process.stderr.write(`${reason}, ${withoutCompiler}: run ${remedy}\n`);
  process.exitCode = 1;
} else {
  // Reading the maps takes a third of what the generator takes to start.
  process.setSourceMapsEnabled(state !== "current" && command !== "generate");
  await import(program.href);
}

function fromSources() {
  const tree = compiledTree(withApp.includes(command) ? everything : ofPackage);
  return tree === null ? null : pathToFileURL(join(tree, "cli/kirak.js"));
}
