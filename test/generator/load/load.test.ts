import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { readDefinition } from "#generator/pipeline/generate";
import type { ReadResult } from "#generator/pipeline/result";
import { loadFiles } from "./load-text.ts";

const root = join(import.meta.dirname, "../../..");
const example = readFileSync(join(root, "test/http/fixture/models.json"), "utf8");

function codes({ diagnostics }: ReadResult): string[] {
  return diagnostics.map((diagnostic) => diagnostic.code);
}

/** Those that the files declare. */
function ownModels({ definition }: ReadResult): readonly ModelDefinition[] {
  return definition?.models.filter(({ builtIn }) => !builtIn) ?? [];
}

const books = { fields: { title: { type: "string" } }, access: { fetch: [{ role: "*" }] } };

test("models that are in order have no problem at all", async () => {
  const places = { models: "test/http/fixture/models.json", manifest: "test/http/fixture/manifest.json" };
  const result = await readDefinition({ ...places, root });
  expect(result.diagnostics).toEqual([]);
  expect(result.definition?.name).toBe("scenarios");
  const mails = ["closing.txt", "welcome.html", "welcome.txt"].map((name) => `mails/${name}`);
  const others = ["errors.json", ...mails, "jobs/send-later.ts"];
  expect(result.inputs).toEqual([
    ...Object.values(places),
    ...others.map((name) => `test/http/fixture/${name}`),
  ]);
});

test("further models files are merged in the order of their names", async () => {
  const result = await loadFiles({
    "models.json": { books },
    "z.models.json": { zoo: books },
    "a.models.json": { ants: books },
  });
  expect(result.diagnostics).toEqual([]);
  const own = ownModels(result);
  expect(own.map((model) => model.key)).toEqual(["books", "ants", "zoo"]);
  expect(own.map((model) => model.source)).toEqual(["models.json", "a.models.json", "z.models.json"]);
  expect(result.inputs).toEqual(["models.json", "a.models.json", "z.models.json", "manifest.json"]);
});

test("a list of roles is a rule for each", async () => {
  const access = {
    fetch: [{ role: ["editor", "staff"], condition: "title = 'a'" }, { role: "signed_in" }],
    fields: { title: { read: ["signed_in", "admin"], write: ["signed_in"] } },
  };
  const [model] = ownModels(await loadFiles({ "models.json": { books: { ...books, access } } }));
  const condition = { op: "eq", field: "title", value: "a" };
  expect(model?.access.operations.fetch).toEqual([
    { role: "editor", condition, written: condition, text: "title = 'a'", fields: null },
    { role: "staff", condition, written: condition, text: "title = 'a'", fields: null },
    { role: "signed_in", condition: null, written: null, text: null, fields: null },
  ]);
  expect(model?.access.fields).toEqual([
    { field: "title", read: ["signed_in", "admin"], write: ["signed_in"] },
  ]);
});

test("both files may name their JSON Schema", async () => {
  const result = await loadFiles({
    "models.json": { $schema: "x", books },
    "manifest.json": { $schema: "x" },
  });
  expect(result.diagnostics).toEqual([]);
});

test("a file that is not UTF-8 is not changed in silence", async () => {
  const text = '{\n  "caf\ufffd": {}, "café": { "fields": {} }\n}';
  const bytes = Buffer.from(text.replace("é", "\u0001"));
  bytes[bytes.indexOf(1)] = 0xe9;
  const { diagnostics, definition } = await loadFiles({ "models.json": bytes });
  expect(definition).toBe(null);
  expect(diagnostics).toMatchObject([{ code: "invalid-json", line: 2, column: 19 }]);
  expect(diagnostics[0]?.message).toBe("the file is not UTF-8: the byte 0xE9 at offset 22");
  const valid = { books: { ...books, description: "\ufffd" } };
  expect((await loadFiles({ "models.json": valid })).diagnostics).toEqual([]);
});

describe("hostile and broken inputs", () => {
  // biome-ignore format: one case a line
  test.each([
    ["a prototype key", '{"__proto__":{"fields":{"a":{"type":"string"}}}}', "invalid-name"],
    ["a prototype key in a field", '{"books":{"fields":{"a":{"type":"string","__proto__":{"x":1}}}}}', "unknown-key"],
    ["a key twice", '{"books":{"table":"a","table":"b","fields":{}}}', "duplicate-key"],
    ["very deep nesting", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "json-too-deep"],
    ["a byte order mark", "\ufeff{}", "invalid-json"],
    ["an empty file", "", "invalid-json"],
    ["half an object", '{"books":', "invalid-json"],
    ["two values", "{} {}", "invalid-json"],
    ["null", "null", "not-an-object"],
  ])("%s", async (_, text, code) => {
    const result = await loadFiles({ "models.json": text });
    expect(codes(result)).toContain(code);
    expect(result.definition).toBe(null);
  });

  test("names of Object.prototype are names like any other", async () => {
    const fields = { constructor: { type: "string" }, toString: { type: "integer", default: 1 } };
    const result = await loadFiles({ "models.json": { constructor: { ...books, fields }, valueOf: books } });
    expect(result.diagnostics).toEqual([]);
    expect(ownModels(result).map((model) => model.key)).toEqual(["constructor", "valueOf"]);
  });

  test("a text with a few characters changed never throws, and places lie in the file", async () => {
    const edit = fc.tuple(
      fc.nat(example.length),
      fc.nat(6),
      fc.constantFrom("", '"', "{", "}", ",", "null", "x", '"a":1,', "[]", "true"),
    );
    const property = fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
      const text = edits.reduce(
        (now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length),
        example,
      );
      const lines = text.split("\n");
      const result = await loadFiles({ "models.json": text });
      for (const { file, line, column } of result.diagnostics) {
        if (file === "models.json") expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
      }
      expect(result.definition === null).toBe(
        result.diagnostics.some(({ severity }) => severity === "error"),
      );
    });
    await fc.assert(property, { seed: 7, numRuns: 60 });
  });

  test("a value that is replaced by another one never throws", async () => {
    const property = fc.asyncProperty(fc.nat(), fc.jsonValue({ maxDepth: 2 }), async (pick, value) => {
      const models: unknown = JSON.parse(example);
      replace(models, pick, value);
      const result = await loadFiles({ "models.json": models });
      expect(result.definition === null).toBe(
        result.diagnostics.some(({ severity }) => severity === "error"),
      );
    });
    await fc.assert(property, { seed: 11, numRuns: 60 });
  });
});

/** Puts a value in the place of one of those in a tree. */
function replace(tree: unknown, pick: number, value: unknown): void {
  const places: [object, string][] = [];
  const visit = (node: unknown) => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, child] of Object.entries(node)) {
      places.push([node, key]);
      visit(child);
    }
  };
  visit(tree);
  const [parent, key] = places[pick % places.length] ?? [{}, ""];
  Object.assign(parent, { [key]: value });
}
