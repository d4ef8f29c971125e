import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compile } from "#generator/compile/compile-check";
import { appPath } from "#generator/output/output-paths";
import { printNothingToDo, printReport } from "#generator/review/print-report";
import { filesBelow, project, repository } from "./support/project.ts";

// Whole runs in folders: models.json (and before.json, access-acknowledged.json, errors.json, hooks/, jobs/, mails/, routes/), and the tree that they give in expected/.
// `UPDATE_GOLDENS=1 npx vitest run test/generator/golden` writes the trees anew.
const folder = fileURLToPath(new URL("golden/", import.meta.url));
const cases = readdirSync(folder).sort();
/** Files of `models/` that not every case has. */
const beside = new Set(["access-acknowledged.json", "errors.json"]);
const update = process.env["UPDATE_GOLDENS"] === "1";

/** Runs the generator over a case, over its `before.json` first where it has one. */
async function run(name: string): Promise<Record<string, string>> {
  const inputs = filesBelow(join(folder, name));
  const { write, generate, files } = project();
  write("models/manifest.json", inputs["manifest.json"] ?? "");
  for (const [path, text] of Object.entries(inputs))
    if (/^(hooks|jobs|mails|routes)\//.test(path) || beside.has(path)) write(`models/${path}`, text);
  for (const models of ["before.json", "models.json"]) {
    const text = inputs[models];
    if (text === undefined) continue;
    write("models/models.json", text);
    const result = await generate();
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(result.problems).toEqual([]);
    const again = await generate();
    expect(again.report === null ? "" : printReport(again.report, "wrote")).toBe(
      result.report === null ? "none" : printNothingToDo(result.report),
    );
  }
  return files("generated");
}

function writeExpected(expected: string, files: Record<string, string>): void {
  rmSync(expected, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(expected, path)), { recursive: true });
    writeFileSync(join(expected, path), text);
  }
}

test.each(cases)("%s", async (name) => {
  const expected = join(folder, name, "expected");
  const files = await run(name);
  if (update) writeExpected(expected, files);
  expect(files).toEqual(filesBelow(expected));
});

test("every expected tree compiles under the settings of the repository", { timeout: 60_000 }, async () => {
  const overlay = new Map<string, string>();
  for (const name of cases) {
    // A tree beside `generated/` finds the same runtime by the same relative paths.
    for (const [path, text] of Object.entries(filesBelow(join(folder, name, "expected")))) {
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
