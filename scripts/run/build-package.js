// @ts-check
/** Builds the package: `lib/`, with declarations, maps, and what the code reads beside itself. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { markBuild } from "../../cli/app/build-mark.js";
import { compilerFolder, runCompiler } from "../../cli/app/emit.js";
import { copyPage, page, root } from "./compiled.js";
import { copyExamples } from "./examples.js";
import { packageBuild } from "./package-build.js";

const compiler = compilerFolder(root);
if (compiler === null)
  refuse("development dependencies are not installed: run npm ci --include=dev && npm run build");

const lib = join(root, packageBuild.folder);
rmSync(lib, { recursive: true, force: true });
for (const settings of [`${page}/tsconfig.build.json`, packageBuild.settings]) {
  const complaints = runCompiler(root, compiler, join(root, settings));
  if (complaints !== "") refuse(complaints.trimEnd());
}
copyPage(lib);
cpSync(join(root, "templates"), join(lib, "templates"), { recursive: true });
copyExamples(join(lib, "examples"));
markBuild(packageBuild);

/**
 * @param {string} message
 * @returns {never}
 */
function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
