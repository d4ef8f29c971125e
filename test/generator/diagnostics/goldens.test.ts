import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue, renderDiagnostics } from "../../../generator/diagnostics/index.ts";
import { loadService } from "../../../generator/load/index.ts";

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

/** Found by compiling what was generated, with goldens beside those of whole runs. */
const foundLater = new Set(["hook-does-not-compile"]);

test("every code of the catalogue has a golden", () => {
  const known = Object.keys(catalogue).filter((code) => !foundLater.has(code));
  expect([...codes].sort()).toEqual([...known].sort());
});

describe.each(codes)("%s", (code) => {
  test("is reported where it stands", async () => {
    const root = join(folder, code);
    const models = existsSync(join(root, "models.txt")) ? "models.txt" : "models.json";
    const manifest = existsSync(join(root, "manifest.json")) ? "manifest.json" : "../manifest.json";
    const result = await loadService({ models, manifest, root, lint: linted.has(code) });
    const printed = renderDiagnostics(result.diagnostics, result.sources);
    const golden = join(root, "stderr.txt");
    if (process.env["UPDATE_GOLDENS"] === "1") writeFileSync(golden, printed);
    expect(printed).toBe(readFileSync(golden, "utf8"));
    expect(result.diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(result.definition === null).toBe(result.diagnostics.some(({ severity }) => severity === "error"));
  });
});
