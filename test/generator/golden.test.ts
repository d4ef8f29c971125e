import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compile } from "#generator/compile/compile-check";
import { appPath } from "#generator/output/output-files";
import { printReport } from "#generator/review/print-report";
import { validSchema } from "./emit/graphql/schemas.ts";
import { filesBelow, project, repository } from "./support/project.ts";

// Whole runs. A folder holds the inputs: models.json (and before.json, more.models.json, access-acknowledged.json, errors.json, hooks/, jobs/, mails/, routes/).
// Its expected/ holds the files that the case is about: those named here, or all of them. A name that ends with a slash is a folder.
// Other whole trees are those of the apps of this repository, which their own tests compare: `generated/` and `examples/`.
// `UPDATE_GOLDENS=1 npx vitest run test/generator/golden` writes them again.
// biome-ignore format: one case a line
const cases: Record<string, "all" | readonly string[]> = { accounts: ["access-matrix.txt", "index.ts", "models/tickets/policy.ts", "models/users/"],
  "added-field": ["access-matrix.txt", "manifest.lock.json", "migrations/0002_add_isbn_to_books.ts"],
  conditions: ["access-matrix.txt", "models/posts/policy.ts"],
  fields: ["graphql/", "migrations/0001_initial.ts", "models/samples/model.ts", "models/samples/policy.ts", "models/samples/validators.ts"],
  graphql: ["access-matrix.txt", "graphql/", "models/LineItems/model.ts", "models/authors/model.ts", "models/safes/", "models/tickets/model.ts",
    "models/tickets/validators.ts"],
  hooks: ["app.ts", "index.ts", "models/drafts/model.ts", "models/drafts/routes.ts", "models/drafts/validators.ts"],
  kysely: ["app.ts", "database.ts", "index.ts"],
  minimal: "all",
  "named-conditions": ["access-matrix.txt", "conditions.ts", "models/projects/policy.ts", "models/tasks/policy.ts", "models/teams/policy.ts"],
  presets: ["access-matrix.txt", "models/notes/model.ts", "models/notes/policy.ts", "models/notes/validators.ts", "models/visits/policy.ts"],
  "rate-limits": ["models/each/policy.ts", "models/flat/policy.ts", "models/some/policy.ts", "models/some/routes.ts", "models/unlimited/policy.ts",
    "rate-limits.txt"],
  "rate-limits-off": ["models/notes/policy.ts", "rate-limits.txt"],
  relations: ["migrations/0001_initial.ts", "models/companies/model.ts", "models/people/model.ts"],
  renames: ["migrations/0002_rename_posts_to_articles_and_more.ts"],
  "reserved-words": ["app.ts", "index.ts", "migrations/0001_initial.ts", "models/class/"],
  routes: ["access-matrix.txt", "index.ts"],
  rules: ["access-matrix.txt", "models/memberships/policy.ts", "models/organisations/policy.ts", "models/projects/policy.ts"],
  "uuid-ids": ["migrations/0001_initial.ts", "models/readings/model.ts", "models/readings/policy.ts", "models/readings/validators.ts"],
};
const names = Object.keys(cases);
const folder = fileURLToPath(new URL("golden/", import.meta.url));
/** Files of `models/` that not every case has. */
const optional = new Set(["access-acknowledged.json", "errors.json", "more.models.json"]);
const update = process.env["UPDATE_GOLDENS"] === "1";

type Files = Record<string, string>;

/** The files of `generated/` by the name of their case, each made once. */
const made = new Map<string, Promise<Files>>();

function filesOf(name: string): Promise<Files> {
  const files = made.get(name) ?? run(name);
  made.set(name, files);
  return files;
}

/** Runs the generator over a case, over its `before.json` first where it has one. */
async function run(name: string): Promise<Files> {
  const inputs = filesBelow(join(folder, name));
  const { write, generate, files } = project();
  write("models/manifest.json", inputs["manifest.json"] ?? "");
  for (const [path, text] of Object.entries(inputs))
    if (/^(hooks|jobs|mails|routes)\//.test(path) || optional.has(path)) write(`models/${path}`, text);
  for (const models of ["before.json", "models.json"]) {
    const text = inputs[models];
    if (text === undefined) continue;
    write("models/models.json", text);
    const result = await generate();
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(result.problems).toEqual([]);
    const { report } = await generate();
    expect(report === null ? "" : printReport(report, "wrote")).toMatch(
      /^nothing to do: \d+ files up to date\n$/,
    );
  }
  return files("generated");
}

/** The files that a case is about. */
function keptOf(name: string, files: Files): Files {
  const kept = cases[name] ?? [];
  if (kept === "all") return files;
  const isAt = (path: string, place: string) =>
    path === place || (place.endsWith("/") && path.startsWith(place));
  expect(kept.filter((place) => !Object.keys(files).some((path) => isAt(path, place)))).toEqual([]);
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => kept.some((place) => isAt(path, place))),
  );
}

function writeExpected(expected: string, files: Files): void {
  rmSync(expected, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(expected, path)), { recursive: true });
    writeFileSync(join(expected, path), text);
  }
}

test("every folder is a case", () => {
  expect(readdirSync(folder).sort()).toEqual([...names].sort());
});

test.each(names)("%s", async (name) => {
  const expected = join(folder, name, "expected");
  const files = await filesOf(name);
  const kept = keptOf(name, files);
  if (update) writeExpected(expected, kept);
  expect(kept).toEqual(filesBelow(expected));
  expect(() => validSchema(files["graphql/schema.graphql"] ?? "")).not.toThrow();
});

test("every run compiles under the settings of the repository", async () => {
  const overlay = new Map<string, string>();
  for (const name of names) {
    // A tree next to `generated/` finds the same runtime by the same relative paths.
    for (const [path, text] of Object.entries(await filesOf(name))) {
      if (!path.endsWith(".ts")) continue;
      // One program knows one app: here each has keys of its own.
      const own = path === appPath ? text.replaceAll(/^ {4}(\w+): /gm, `    "${name} $1": `) : text;
      overlay.set(`generated-${name}/${path}`, own);
    }
    for (const kind of ["hooks", "jobs", "routes"]) {
      const code = join(folder, name, kind);
      for (const file of existsSync(code) ? readdirSync(code) : []) {
        const text = readFileSync(join(code, file), "utf8");
        overlay.set(
          `models/${kind}/${file}`,
          text.replaceAll("../../generated/", `../../generated-${name}/`),
        );
      }
    }
  }
  expect((await compile({ root: repository, overlay, further: [] })).errors).toEqual([]);
});
