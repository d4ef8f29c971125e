import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { helpOf } from "#generator/diagnostics/help";
import {
  catalogue,
  type DiagnosticCode,
  isFinding,
  isProposal,
  isSilenceable,
} from "#generator/diagnostics/index";
import { repository } from "../support/project.ts";

function isCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(catalogue, text);
}

const codes = Object.keys(catalogue).filter(isCode);
const silenceable = codes.filter(isSilenceable);
const read = (path: string) => readFileSync(join(repository, path), "utf8");

test("editors offer the codes that can be silenced, in models and manifest", () => {
  const models = JSON.parse(read("schemas/models.schema.json")).definitions.lintIgnore;
  const manifest = JSON.parse(read("schemas/manifest.schema.json")).properties.lint_ignore;
  expect(models.propertyNames.enum).toEqual(silenceable);
  expect(manifest.propertyNames.enum).toEqual(silenceable);
});

test("docs/lint.md has a row for each code that fails a check or proposes something, and no other", () => {
  const rows = [...read("docs/lint.md").matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect([...rows].sort()).toEqual(codes.filter((code) => isFinding(code) || isProposal(code)).sort());
});

test("each finding of lint explains its reason and its correction", () => {
  const bare = codes.filter(
    (code) =>
      catalogue[code].severity === "lint" && helpOf(code).fix === "Correct the cause that the message names.",
  );
  expect(bare).toEqual([]);
});
