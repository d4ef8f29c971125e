// @ts-check
import { readsTypeScript } from "./tsx.js";

/** Runs a file of TypeScript as this process, with the words after its path: a command of development, which has no build. */
const [path = "", ...words] = process.argv.slice(2);
process.argv = [process.argv[0] ?? "", path, ...words];

if (await readsTypeScript()) await import(new URL(`../../${path}`, import.meta.url).href);
else {
  process.stderr.write("development dependencies are not installed: run npm ci --include=dev\n");
  process.exitCode = 1;
}
