import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { localCommandLine } from "../../cli/local-package.ts";
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
const app = folderWith({ ...installed, "models/hooks/books.ts": "", "models/models.json": {} });
const local = join(app, "node_modules/kirak");
const elsewhere = folderWith({ "package.json": { name: "kirak" } });

test("a project's own kirak is found from all of its folders", () => {
  const program = pathToFileURL(join(local, "lib/kirak.js"));
  for (const folder of [app, join(app, "models/hooks")])
    expect(localCommandLine("generate", folder, elsewhere)).toEqual(program);
  expect(localCommandLine("", app, elsewhere)).toEqual(program);
});

test.each(["init", "upgrade", "completion"])("%s is for the one that runs", (command) => {
  expect(localCommandLine(command, app, elsewhere)).toBeNull();
});

test("the project's own goes on by itself, also where it is a link, or its sources are compiled", () => {
  const linked = folderWith({ "package.json": {} });
  mkdirSync(join(linked, "node_modules"));
  symlinkSync(local, join(linked, "node_modules/kirak"), "junction");
  for (const folder of [app, linked]) {
    expect(localCommandLine("generate", folder, local)).toBeNull();
    expect(localCommandLine("generate", folder, join(local, "lib"))).toBeNull();
  }
});

test("where there is none, or one that is not built, this one goes on", () => {
  expect(localCommandLine("generate", elsewhere, local)).toBeNull();
  const unbuilt = folderWith({
    "node_modules/kirak/package.json": installed["node_modules/kirak/package.json"],
  });
  expect(localCommandLine("generate", unbuilt, elsewhere)).toBeNull();
});

test("it gets the words, in the same process", async () => {
  expect(await kirak(join(app, "models"), ["generate", "--check"])).toEqual({
    status: 7,
    stdout: "version 9 generate --check\n",
    stderr: "",
  });
  expect(await kirak(app, ["upgrade", "--help"])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^kirak upgrade/),
  });
});
