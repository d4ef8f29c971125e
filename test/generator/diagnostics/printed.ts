import { join } from "node:path";
import { expect } from "vitest";
import { catalogue, type Diagnostic, type DiagnosticCode, type Sources } from "#generator/diagnostics/index";
import { readDefinition } from "#generator/pipeline/generate";
import { project } from "../support/project.ts";

/** The text of models.json, or files of `models/` by path; `models` and `manifest` are the two JSON files. */
type Files = string | Readonly<Record<string, string>>;

/** Lines without quotes in a snapshot. A serializer of all strings would affect other test files. */
class Lines {
  readonly text: string;

  constructor(lines: readonly string[]) {
    this.text = lines.join("\n");
  }
}

expect.addSnapshotSerializer({
  test: (value) => value instanceof Lines,
  print: (value) => (value instanceof Lines ? value.text : ""),
});

/** The diagnostics of a run, which must report the code. "compile" runs the whole generator. */
export async function printed(
  code: DiagnosticCode,
  files: Files,
  how: "read" | "compile" = "read",
): Promise<Lines> {
  const { models, manifest, ...others }: Record<string, string> =
    typeof files === "string" ? { models: files } : files;
  const { root, write, remove, generate } = project({}, { name: "golden" });
  if (models === undefined) remove("models/models.json");
  else write("models/models.json", dedented(models));
  if (manifest !== undefined) write("models/manifest.json", dedented(manifest));
  for (const [path, text] of Object.entries(others)) write(`models/${path}`, dedented(text));
  const lint = catalogue[code].severity === "lint";
  const place = {
    models: "models.json",
    manifest: "manifest.json",
    root: join(root, "models"),
    lint,
    proposeNames: lint,
  };
  const { diagnostics, sources, ...result } =
    how === "compile" ? await generate({ compile: true }) : await readDefinition(place);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  const failed = "exitCode" in result ? result.exitCode === 2 : result.definition === null;
  expect(failed).toBe(diagnostics.some(({ severity }) => severity === "error"));
  return new Lines(diagnostics.flatMap((diagnostic) => linesOf(diagnostic, sources)));
}

/** A diagnostic with the text that it marks, and its hint below. `render.test.ts` tests how users see it. */
function linesOf({ file, line, column, length, ...what }: Diagnostic, sources: Sources): string[] {
  const text = (sources.get(file) ?? "").split(/\r\n|\n|\r/)[line - 1] ?? "";
  const place = `${file}:${line}:${column} ${text.slice(column - 1, column - 1 + length)}`.trimEnd();
  const head = `${place} - ${what.severity} ${what.code}: ${what.message}`;
  return what.hint === null ? [head] : [head, `  ${what.hint}`];
}

/** A text that starts with a line break is dedented and loses that break; other texts are unchanged. */
function dedented(text: string): string {
  const indent = /^\n( *)/.exec(text)?.[1];
  return indent === undefined
    ? text
    : text
        .slice(1)
        .replace(/ *$/, "")
        .replaceAll(new RegExp(`^${indent}`, "gm"), "");
}
