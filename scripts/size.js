// @ts-check
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { extname } from "node:path";

/** `npm run size`: lines of the source and of the tests by layer and module, and the budget of docs/architecture.md. */

const sources = new Set([".ts", ".js", ".css", ".html"]);

/**
 * The layers of `runtime/` in three sums, and the budget of each sum in lines.
 *
 * @type {Readonly<Record<string, { budget: number, layers: readonly string[] }>>}
 */
const sums = {
  "path of a request": { budget: 26_100, layers: ["server", "api", "data", "hooks", "models", "core"] },
  operators: { budget: 10_500, layers: ["process", "migrations", "testing"] },
  modules: { budget: 32_150, layers: ["modules"] },
};

const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);

/** @param {string} folder */
function sourcesIn(folder) {
  return files.filter((path) => path.startsWith(`${folder}/`) && sources.has(extname(path)));
}

/** @param {readonly string[]} paths */
function lines(paths) {
  return paths.reduce((sum, path) => sum + readFileSync(path, "utf8").split("\n").length - 1, 0);
}

/**
 * @param {string} name
 * @param {readonly string[]} paths
 * @param {string} [more]
 */
function print(name, paths, more = "") {
  const figures = [lines(paths), paths.length].map((figure) => figure.toLocaleString("en").padStart(9));
  process.stdout.write(`${name.padEnd(28)}${figures.join("")}${more}\n`);
}

/** @param {string} folder */
function modulesIn(folder) {
  const inside = sourcesIn(folder).map((path) => path.slice(folder.length + 1).split("/"));
  return [...new Set(inside.flatMap(([name = "", below]) => (below === undefined ? [] : [name])))];
}

process.stdout.write(`${"".padEnd(28)}${"lines".padStart(9)}${"files".padStart(9)}\n`);
const programs = ["runtime", "generator", "vocabulary", "cli"];
print("source", programs.flatMap(sourcesIn));
for (const program of programs) print(`  ${program}/`, sourcesIn(program));
for (const [name, { budget, layers }] of Object.entries(sums)) {
  const paths = layers.flatMap((layer) => sourcesIn(`runtime/${layer}`));
  const used = ((100 * lines(paths)) / budget).toFixed(0);
  print(name, paths, `  budget ${budget.toLocaleString("en")}, ${used} % used`);
  for (const layer of layers) {
    if (layers.length > 1) print(`  ${layer}/`, sourcesIn(`runtime/${layer}`));
    for (const module of modulesIn(`runtime/${layer}`))
      print(`    ${module}/`, sourcesIn(`runtime/${layer}/${module}`));
  }
}
print(
  "tests",
  files.filter((path) => path.startsWith("test/")),
);
