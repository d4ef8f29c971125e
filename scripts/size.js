// @ts-check
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { extname } from "node:path";

/** `npm run size`: lines of the source and of the tests by module, and what the budget of docs/architecture.md allows. */

const sources = new Set([".ts", ".js", ".css", ".html"]);

/**
 * The groups of `runtime/`, by its folders and files, and the budget of each sum, in lines.
 *
 * @type {Readonly<Record<string, { budget: number, groups: Readonly<Record<string, readonly string[]>> }>>}
 */
const runtime = {
  "path of a request": {
    budget: 22_000,
    groups: {
      server: ["server", "code-modules", "service", "late-storage", "overview", "overview-of"],
      api: ["rest", "graphql", "routes"],
      data: ["operations", "sql", "users", "code-database"],
      hooks: ["hooks", "context"],
      models: ["model", "access", "validation"],
      core: [
        ...[
          "caller",
          "cache",
          "concurrency",
          "config",
          "database",
          "errors",
          "http",
          "json",
          "masking",
          "memo",
        ],
        ...["pages", "patterns", "register", "tracing", "heap"],
      ],
    },
  },
  operators: {
    budget: 8_500,
    groups: {
      process: ["process", "commands", "operate", "own-worker", "start", "start-worker", "work-of"],
      migrations: ["migrations", "built-in-migrations", "catalog", "embedded-postgres"],
      testing: ["testing"],
    },
  },
  modules: {
    budget: 24_000,
    groups: Object.fromEntries(
      ["auth", "storage", "monitoring", "rate-limit", "jobs", "mail", "sms", "messages"].map((name) => [
        name,
        [name],
      ]),
    ),
  },
  exports: { budget: 500, groups: { exports: ["index", "doors"] } },
};

const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0").filter(Boolean);

/** @param {readonly string[]} paths */
function lines(paths) {
  return paths.reduce((sum, path) => sum + readFileSync(path, "utf8").split("\n").length - 1, 0);
}

/** @param {string} folder */
function sourcesIn(folder) {
  return files.filter((path) => path.startsWith(`${folder}/`) && sources.has(extname(path)));
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

process.stdout.write(`${"".padEnd(28)}${"lines".padStart(9)}${"files".padStart(9)}\n`);
const programs = ["runtime", "generator", "vocabulary", "cli"];
print("source", programs.flatMap(sourcesIn));
for (const program of programs) {
  print(`  ${program}/`, sourcesIn(program));
  if (program === "runtime") printRuntime();
}
const tests = files.filter((path) => path.startsWith("test/"));
print("test/", tests);
for (const folder of new Set(
  tests.map((path) => path.split("/")[1] ?? "").filter((name) => !name.includes(".")),
))
  print(
    `  ${folder}/`,
    tests.filter((path) => path.startsWith(`test/${folder}/`)),
  );

function printRuntime() {
  const left = new Set(sourcesIn("runtime"));
  for (const [sum, { budget, groups }] of Object.entries(runtime)) {
    const members = Object.entries(groups).map(([group, names]) => {
      const paths = names.flatMap((name) => [...left].filter((path) => path.split(/[/.]/)[1] === name));
      for (const path of paths) left.delete(path);
      return { group, paths };
    });
    const all = members.flatMap(({ paths }) => paths);
    const over = lines(all) > budget ? ", exceeded" : "";
    print(`    ${sum}`, all, `  budget ${budget.toLocaleString("en")}${over}`);
    if (members.length > 1) for (const { group, paths } of members) print(`      ${group}`, paths);
  }
  if (left.size > 0) print("    in no group", [...left], `  ${[...left].join(" ")}`);
}
