import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const access = {
  fetch: [{ role: "*" }],
  create: [{ role: "editor" }],
  destroy: [{ role: "editor" }],
};
const notes = { fields: { title: { type: "string" }, secret: { type: "string" } }, access };
const gated = {
  ...notes,
  access: { ...access, fields: { secret: { read: ["editor"], write: ["editor"] } } },
};
const files = { "models/manifest.json": { name: "notes" }, "models/models.json": { notes: gated } };

/** A new app, and what its `client` command does. */
function app() {
  const root = folderWith(files);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return { root, read, run: (...flags: string[]) => kirak(root, ["client", ...flags]) };
}

const done = { status: 0, stdout: "", stderr: "" };

test("writes one file without imports, whose first line says who made it, and checks it", async () => {
  const { root, read, run } = app();
  expect(await run("--out", "api", "--check")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("+++ b/api/index.ts"),
  });
  expect(await run("--out", "api")).toEqual(done);
  expect(readdirSync(join(root, "api"))).toEqual(["index.ts"]);
  const text = read("api/index.ts");
  expect(text).toMatch(/^\/\/ Made by `kirak client` /);
  expect(text).not.toMatch(/^import /m);
  expect(await run("--out", "api", "--check")).toEqual(done);
  expect(await run("--out", join(root, "api"))).toEqual(done);
});

test("--check prints the difference, and a run brings the file up to date", async () => {
  const { root, read, run } = app();
  await run("--out", "api");
  const former = read("api/index.ts");
  writeFileSync(join(root, "api/index.ts"), former.replace("title: string | null;", "title: string;"));
  const { status, stderr } = await run("--out", "api", "--check");
  expect(status).toBe(1);
  expect(stderr).toContain("-  title: string;\n+  title: string | null;\n");
  expect(stderr).toContain("api is out of date: run the command without --check");
  expect(await run("--out", "api")).toEqual(done);
  expect(read("api/index.ts")).toBe(former);
});

test("writes only into a folder that is empty or holds its own files", async () => {
  const { root, read, run } = app();
  const refused = async (names: string) => {
    for (const flags of [[], ["--check"]])
      expect(await run("--out", "web", ...flags)).toMatchObject({
        status: 2,
        stderr: `web holds files that kirak client did not write: ${names}\nchoose an empty folder with --out\n`,
      });
  };
  mkdirSync(join(root, "web/src"), { recursive: true });
  // An empty folder, and what git and systems put into folders.
  writeFileSync(join(root, "web/.gitignore"), "");
  expect(await run("--out", "web")).toEqual(done);
  writeFileSync(join(root, "web/src/app.ts"), "");
  await refused("src/app.ts");
  writeFileSync(join(root, "web/src/app.ts"), "// Made by `kirak client`");
  await refused("src/app.ts");
  const { root: other, run: runThere } = app();
  mkdirSync(join(other, "web"));
  writeFileSync(join(other, "web/index.ts"), "export {};\n");
  expect(await runThere("--out", "web")).toMatchObject({ status: 2 });
  expect(readFileSync(join(other, "web/index.ts"), "utf8")).toBe("export {};\n");
  expect(read("models/manifest.json")).toBe('{"name":"notes"}');
  expect(await run("--out", "models/manifest.json")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("models/manifest.json cannot be written"),
  });
});

test("--role leaves out what the role does not reach", async () => {
  const { read, run } = app();
  expect(await run("--out", "all")).toEqual(done);
  expect(await run("--out", "guest", "--role", "guest")).toEqual(done);
  expect(read("all/index.ts")).toContain("secret?: string | null;");
  expect(await run("--out", "editor", "--role", "editor")).toEqual(done);
  expect(read("editor/index.ts")).toContain("secret: string | null;");
  expect(read("all/index.ts")).toContain("Destroys<NotesWhere");
  expect(read("guest/index.ts")).not.toMatch(/secret|NotesCreate|Destroys<NotesWhere/);
  expect(read("guest/index.ts")).toContain('notes: "/notes fetch get count exists"');
  // Of a model that no one creates, too.
  expect(read("guest/index.ts")).toContain("title: string | null;");
  expect(await run("--out", "x", "--role", "editr")).toMatchObject({
    status: 2,
    stderr: 'no rule names the role "editr"; did you mean "editor"?\n',
  });
});

test("--validators zod adds a file, which goes without the flag", async () => {
  const { root, read, run } = app();
  expect(await run("--out", "api", "--validators", "zod")).toEqual(done);
  expect(readdirSync(join(root, "api"))).toEqual(["index.ts", "validators.ts"]);
  const text = read("api/validators.ts");
  expect(text).toMatch(/^\/\/ Made by `kirak client` /);
  expect(text.match(/^import .*$/gm)).toEqual(['import * as z from "zod";']);
  expect(text).toContain("export const NotesCreate = z.strictObject({");
  expect(await run("--out", "api", "--check")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("--- a/api/validators.ts\n+++ /dev/null"),
  });
  expect(await run("--out", "api")).toEqual(done);
  expect(readdirSync(join(root, "api"))).toEqual(["index.ts"]);
});

test("--package writes an npm package without dependencies", async () => {
  const { root, read, run } = app();
  await run("--out", "api");
  const flags = ["--out", "api", "--package", "@acme/notes", "--package-version", "1.4.0"];
  expect(await run(...flags)).toEqual(done);
  expect(readdirSync(join(root, "api")).sort()).toEqual([
    "README.md",
    "index.d.ts",
    "index.js",
    "package.json",
  ]);
  expect(JSON.parse(read("api/package.json"))).toEqual({
    "//": "Made by `kirak client`",
    name: "@acme/notes",
    version: "1.4.0",
    description: "Client of notes",
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    sideEffects: false,
    files: ["index.js", "index.d.ts"],
  });
  expect(read("api/README.md")).toContain('import { createClient } from "@acme/notes";');
  expect(await run(...flags, "--check")).toEqual(done);
  const { createClient, browserStorage, isApiError } = await import(join(root, "api/index.js"));
  expect(createClient({ url: "https://api.example.com" }).notes.fetch).toBeTypeOf("function");
  expect([browserStorage, isApiError].map((value) => typeof value)).toEqual(["function", "function"]);
});

test("the version of a package is that of the document by default", async () => {
  const root = folderWith({
    ...files,
    "models/manifest.json": { name: "notes", docs: { version: "2.1.0" } },
  });
  expect(await kirak(root, ["client", "--out", "api", "--package", "notes"])).toEqual(done);
  expect(JSON.parse(readFileSync(join(root, "api/package.json"), "utf8"))).toMatchObject({
    version: "2.1.0",
  });
});

test.each([
  [[], "the client needs a folder: add --out"],
  [["--out", "api", "--package-version", "1.0.0"], "add --package"],
  [["--out", "api", "--package", "Acme api"], '"Acme api" is not a name of an npm package'],
  [["--out", "api", "--package", "acme", "--package-version", "one"], '"one" is not a version'],
  [["--out", "api", "--package", "acme", "--validators", "zod"], "leave --package out"],
  [["--out", "api", "--validators", "yup"], "zod"],
])("bad flags: %j", async (flags, message) => {
  expect(await app().run(...flags)).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining(message),
  });
});

test("invalid models are an error", async () => {
  const root = folderWith({ ...files, "models/models.json": { notes: { fields: 7 } } });
  expect(await kirak(root, ["client", "--out", "api"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("models.json"),
  });
});
