import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue, renderDiagnostics } from "#generator/diagnostics/index";
import { readDefinition } from "#generator/pipeline/generate";
import { filesBelow, project } from "../support/project.ts";

// One folder a code: inputs that must give it, and in stderr.txt all that is printed. UPDATE_GOLDENS=1 writes them again.
// Inputs that are no JSON are called models.txt, so that the formatter leaves them alone.
const folder = import.meta.dirname;
const codes = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** Folders whose run lints as well. */
const linted = new Set(
  Object.entries(catalogue).flatMap(([code, { severity }]) => (severity === "lint" ? [code] : [])),
);

/** Found by compiling what was generated. */
const compiled = ["hook-does-not-compile", "import-by-path", "unknown-hook"];

function expectGolden(code: string, printed: string): void {
  const golden = join(folder, code, "stderr.txt");
  if (process.env["UPDATE_GOLDENS"] === "1") writeFileSync(golden, printed);
  expect(printed).toBe(readFileSync(golden, "utf8"));
}

test("every code of the catalogue has a golden", () => {
  expect([...codes].sort()).toEqual(Object.keys(catalogue).sort());
});

test.each(compiled)("%s", { timeout: 60_000 }, async (code) => {
  const { "stderr.txt": _, ...inputs } = filesBelow(join(folder, code));
  const { write, generate } = project();
  for (const [path, text] of Object.entries(inputs)) write(`models/${path}`, text);
  const { exitCode, diagnostics, sources } = await generate({ compile: true });
  expect(exitCode).toBe(2);
  expectGolden(code, renderDiagnostics(diagnostics, sources));
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
});

describe.each(codes.filter((code) => !compiled.includes(code)))("%s", (code) => {
  test("is reported where it stands", async () => {
    const root = join(folder, code);
    const models = existsSync(join(root, "models.txt")) ? "models.txt" : "models.json";
    const manifest = existsSync(join(root, "manifest.json")) ? "manifest.json" : "../manifest.json";
    const result = await readDefinition({ models, manifest, root, lint: linted.has(code) });
    const printed = renderDiagnostics(result.diagnostics, result.sources);
    expectGolden(code, printed);
    expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(result.definition === null).toBe(result.diagnostics.some(({ severity }) => severity === "error"));
  });
});
