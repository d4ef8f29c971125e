import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  catalogue,
  createLocator,
  createReporter,
  diagnosticsOf,
  renderDiagnostics,
} from "#generator/diagnostics/index";
import { didYouMean, editDistance, nearest } from "#vocabulary/nearest";

const file = "models/models.json";

function render(text: string, offset: number, length: number): string {
  const sources = new Map([[file, text]]);
  const { report, findings } = createReporter();
  report(
    "unknown-field-type",
    { file, offset, length },
    'field "body" of model "posts" has type "txt"',
    'did you mean "text"?',
  );
  return renderDiagnostics(diagnosticsOf(findings(), createLocator(sources)), sources);
}

test("a diagnostic shows its line and a way out", () => {
  const text =
    '{\n  "posts": {\n    "fields": {\n      "title": { "type": "string" },\n      "body": { "type": "txt" }\n    }\n  }\n}\n';
  expect(render(text, text.indexOf('"txt"'), 5)).toBe(
    `models/models.json:5:25 - error unknown-field-type: field "body" of model "posts" has type "txt"
> 5 |       "body": { "type": "txt" }
    |                         ^^^^^
  did you mean "text"?
`,
  );
});

test("tabs keep the carets in line, CRLF ends a line, and a long span ends with its line", () => {
  expect(render('{\r\n\t"a": {\r\n\t}\r\n}', 9, 40)).toContain('> 2 | \t"a": {\n    | \t     ^\n');
});

test("a long line shows only the surroundings of the place", () => {
  const printed = render(`${" ".repeat(500)}"txt"${" ".repeat(500)}x`, 500, 5);
  expect(Math.max(...printed.split("\n").map((line) => line.length))).toBeLessThan(140);
  expect(printed).toContain('"txt"');
});

test("a file without text at the place has no line to show", () => {
  expect(render("", 0, 1)).toBe(
    'models/models.json:1:1 - error unknown-field-type: field "body" of model "posts" has type "txt"\n  did you mean "text"?\n',
  );
});

test("diagnostics are sorted by place and stand once", () => {
  const { report, findings } = createReporter();
  report("invalid-name", { file, offset: 5, length: 1 }, "b");
  report("invalid-name", { file, offset: 1, length: 1 }, "a");
  report("invalid-name", { file, offset: 5, length: 1 }, "b");
  const diagnostics = diagnosticsOf(findings(), createLocator(new Map([[file, "abc\ndef"]])));
  expect(diagnostics.map(({ line, column }) => [line, column])).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

test.each([
  ["tabel", "table"],
  ["requierd", "required"],
  ["txt", "text"],
  ["Author", "authors"],
  ["colour", null],
])("the name nearest to %s is %s", (name, found) => {
  expect(nearest(name, ["table", "required", "text", "authors", "slug"])).toBe(found);
  expect(didYouMean(name, [])).toBe(null);
});

test("a distance is not counted on beyond its limit", () => {
  const [a, b] = ["a".repeat(50), "b".repeat(50)];
  expect([editDistance(a, b), editDistance(a, b, 3), editDistance("ab", "ba", 2)]).toEqual([50, 3, 1]);
});

test("a long text is compared with nothing", () => {
  let compared = 0;
  function* names() {
    compared++;
    yield "a".repeat(100);
  }
  expect(nearest("a".repeat(101), names())).toBe(null);
  expect(compared).toBe(0);
  expect(nearest("a".repeat(99), names())).toBe("a".repeat(100));
});

test("every code of the catalogue has a test in this folder", () => {
  const texts = readdirSync(import.meta.dirname).map((name) =>
    readFileSync(join(import.meta.dirname, name), "utf8"),
  );
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/await printed\("([^"]+)"/g)].map(([, code]) => code),
  );
  expect([...new Set(asked)].sort()).toEqual(Object.keys(catalogue).sort());
});
