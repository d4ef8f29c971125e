// @ts-check
import { buildState } from "./build.js";
import { readsTypeScript } from "./tsx.js";

/**
 * Runs a command of `scripts/` as this process, with the words after its name: the build of it, where `dist/` holds one of
 * these very sources, else the source itself, which tsx reads. JavaScript, as it runs where nothing reads TypeScript yet.
 */
const [name = "", ...words] = process.argv.slice(2);
process.argv = [process.argv[0] ?? "", name, ...words];

const remedy = "npm ci --include=dev && npm run build";
const withoutTsx = "and development dependencies, which run the sources themselves, are not installed";
const state = buildState();

if (state === "current") await import(`../../dist/scripts/${name}.js`);
else if (await readsTypeScript()) await import(`../${name}.ts`);
else {
  const reason = state === "absent" ? "there is no build in dist/" : "dist/ was built from other sources";
  process.stderr.write(`${reason}, ${withoutTsx}: run ${remedy}\n`);
  process.exitCode = 1;
}
