import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { localCommandLine } from "#cli/local-package";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const installed = {
  "node_modules/kirak/package.json": {
    name: "kirak",
    version: "9.0.0",
    type: "module",
    bin: { kirak: "./lib/kirak.js" },
  },
  "node_modules/kirak/lib/kirak.js":
    'console.log("version 9", ...process.argv.slice(2)); process.exitCode = 7;',
};
const dependent = { "package.json": { dependencies: { kirak: "^9.0.0" } } };
const models = { "models/hooks/books.ts": "", "models/models.json": {} };
const app = folderWith({ ...installed, ...dependent, ...models });
const local = join(app, "node_modules/kirak");
const elsewhere = folderWith({ "package.json": { name: "kirak" } });

test("an app's own kirak is found from all of its folders, and is asked for what only it can know", () => {
  const program = pathToFileURL(join(local, "lib/kirak.js"));
  for (const folder of [app, join(app, "models/hooks")])
    for (const words of [["generate"], ["secrets"], ["a-newer-one"], ["help", "generate"]])
      expect(localCommandLine(words, folder, elsewhere)).toEqual(program);
});

test.each([
  ...["init", "completion", "help completion", "help"],
  ...["", "--help", "-h", "--version", "-v", "--get-yargs-completions kirak gen"],
])("%j is for the one that runs", (line) => {
  const words = line === "" ? [] : line.split(" ");
  expect(localCommandLine(words, app, elsewhere)).toBeNull();
});

// biome-ignore format: one case a line
test.each<[string, Readonly<Record<string, object | string>>, string, boolean]>([
  ["no app", { ...installed, ...dependent, "a/x": "" }, "a", false],
  ["an app without a package.json", { ...installed, "a/models/models.json": {} }, "a", false],
  ["an app that does not name it", { ...installed, ...models, "package.json": { name: "shop" } }, ".", false],
  ["an app whose package.json is not JSON", { ...installed, ...models, "package.json": "{" }, ".", false],
  ["an app that has not installed it, below what lies above by chance",
    { ...installed, "a/package.json": dependent["package.json"], "a/models/models.json": {} }, "a", false],
  ["an app in a folder of the project", { ...installed, ...dependent, "a/models/models.json": {} }, "a", true],
  ["one of a workspace of npm",
    { ...installed, "package.json": { workspaces: ["apps/*"] }, "apps/a/package.json": { devDependencies: { kirak: "9" } },
      "apps/a/models/manifest.json": {} }, "apps/a/models", true],
  ["one of a workspace of pnpm",
    { ...installed, "pnpm-workspace.yaml": "", "a/package.json": dependent["package.json"], "a/models/models.json": {} }, "a", true],
])("%s", (_, files, folder, found) => {
  const line = localCommandLine(["generate"], join(folderWith(files), folder), elsewhere);
  expect(line !== null).toBe(found);
});

test("the app's own goes on by itself, also where it is a link, or its sources are compiled", () => {
  const linked = folderWith({ ...dependent, ...models });
  mkdirSync(join(linked, "node_modules"));
  symlinkSync(local, join(linked, "node_modules/kirak"), "junction");
  for (const folder of [app, linked]) {
    expect(localCommandLine(["generate"], folder, local)).toBeNull();
    expect(localCommandLine(["generate"], folder, join(local, "lib"))).toBeNull();
  }
});

test("where there is one that is not built, this one goes on", () => {
  const unbuilt = folderWith({
    ...dependent,
    ...models,
    "node_modules/kirak/package.json": installed["node_modules/kirak/package.json"],
  });
  expect(localCommandLine(["generate"], unbuilt, elsewhere)).toBeNull();
});

test("it gets the words, in the same process", async () => {
  expect(await kirak(join(app, "models"), ["generate", "--check"])).toEqual({
    status: 7,
    stdout: "version 9 generate --check\n",
    stderr: "",
  });
});
