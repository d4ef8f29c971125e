// @ts-check
import { fileURLToPath } from "node:url";
import { buildState } from "../../cli/app/build-mark.js";
import { compiled } from "./compiled.js";
import { packageBuild } from "./package-build.js";

/**
 * The command line of the package, for the app at the root of this repository: the build of it, where `lib/` holds one of these very
 * sources, else the sources, compiled for this run.
 */
process.argv[1] = fileURLToPath(import.meta.url);

const state = buildState(packageBuild);
const program =
  state === "current" ? new URL("../../lib/cli/kirak.js", import.meta.url) : compiled("cli/kirak.ts");

if (program === null) {
  const reason = state === "absent" ? "there is no build in lib/" : "lib/ was built from other sources";
  process.stderr.write(
    `${reason}, and development dependencies, which run the sources themselves, are not installed: run npm ci --include=dev && npm run build\n`,
  );
  process.exitCode = 1;
} else {
  await import(program.href);
}
