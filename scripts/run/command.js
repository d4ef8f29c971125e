// @ts-check
import { buildState } from "./build.js";
import { compiled } from "./compiled.js";

/**
 * Runs a command of `scripts/` as this process, with the words after its name: the build of it, where `dist/` holds one of
 * these very sources, else the source itself, compiled for this run. JavaScript, as it runs where nothing reads TypeScript yet.
 */
const [name = "", ...words] = process.argv.slice(2);
process.argv = [process.argv[0] ?? "", name, ...words];

const remedy = "npm ci --include=dev && npm run build";
const withoutCompiler = "and development dependencies, which run the sources themselves, are not installed";
const state = buildState();
const program =
  state === "current"
    ? new URL(`../../dist/scripts/${name}.js`, import.meta.url)
    : compiled(`scripts/${name}.ts`);

if (program === null) {
  const reason = state === "absent" ? "there is no build in dist/" : "dist/ was built from other sources";
  process.stderr.write(`${reason}, ${withoutCompiler}: run ${remedy}\n`);
  process.exitCode = 1;
} else {
  process.setSourceMapsEnabled(state !== "current");
  await import(program.href);
}
