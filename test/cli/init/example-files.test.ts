import { expect, test } from "vitest";
import { exampleFiles } from "#cli/init/example-files";
import { folderWith } from "../support/folder-with.ts";

const manifest = (text: string) => folderWith({ "models/manifest.json": text });

test("an example gets the name of the app, and the shop a finding that is meant", () => {
  const folder = manifest(
    '{\n  "name": "bookshop",\n  "lint_ignore": {\n    "unindexed-search": "Small."\n  }\n}\n',
  );
  expect(JSON.parse(exampleFiles(folder, "my-app").get("models/manifest.json") ?? "")).toEqual({
    name: "my-app",
    lint_ignore: { "unindexed-search": "Small.", "role-nobody-has": expect.stringContaining("staff") },
  });
});

test.each([
  ["no findings", '{\n  "name": "bookshop"\n}\n', "the manifest of the example bookshop has no lint_ignore"],
  [
    "no line of its name",
    '{ "name": "blank" }',
    "the manifest of an example does not have its name on a separate line",
  ],
])("a manifest with %s, which would stay as it is, is a mistake of the package", (_, text, problem) => {
  expect(() => exampleFiles(manifest(text), "my-app")).toThrow(problem);
});
