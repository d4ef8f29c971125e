import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const access = { fetch: [{ role: "*" }], create: [{ role: "editor" }] };
const notes = { fields: { title: { type: "string" } }, access };
const app = folderWith({ "models/manifest.json": { name: "notes" }, "models/models.json": { notes } });
const document = (...flags: string[]) => kirak(app, ["openapi", ...flags]);

test("prints the document of all roles, or of one", async () => {
  const [all, guest] = await Promise.all([document(), document("--role", "guest")]);
  expect(all).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(all.stdout)).toMatchObject({
    info: { title: "notes" },
    paths: { "/notes/create": { post: { "x-kirak-access": [{ role: "editor" }] } } },
  });
  expect(Object.keys(JSON.parse(guest.stdout).paths).filter((path) => path.startsWith("/notes"))).toEqual([
    "/notes/fetch",
    "/notes/count",
    "/notes/exists",
  ]);
});

test("writes a file, and checks it", async () => {
  const flags = ["--out", "api.json", "--complete", "--server", "https://api.example.com"];
  expect(await document(...flags, "--check")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("api.json is out of date"),
  });
  expect(await document(...flags)).toEqual({ status: 0, stdout: "", stderr: "" });
  const text = readFileSync(join(app, "api.json"), "utf8");
  expect(JSON.stringify(JSON.parse(text).paths["/notes/fetch"])).not.toContain("select_fields");
  expect(JSON.parse(text)).toMatchObject({ servers: [{ url: "https://api.example.com" }] });
  expect(await document(...flags, "--check")).toEqual({ status: 0, stdout: "", stderr: "" });
  writeFileSync(join(app, "api.json"), `${text} `);
  expect(await document(...flags, "--check")).toMatchObject({ status: 1 });
});

test.each([
  ["editr", 'did you mean "editor"?'],
  ["*", '"*" stands for several roles'],
  ["signed_in", '"signed_in" stands for several roles'],
  ["nonesuch", "the roles are admin, editor, guest"],
])("no rule names the role %s", async (role, message) => {
  expect(await document("--role", role)).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining(message),
  });
});

test("a file that cannot be written is an error, and a path can be absolute", async () => {
  expect(await document("--out", "nowhere/api.json")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("cannot be written"),
  });
  const path = join(app, "absolute.json");
  expect(await document("--out", path)).toMatchObject({ status: 0 });
  expect(JSON.parse(readFileSync(path, "utf8")).openapi).toBe("3.1.1");
});

test("--check needs --out", async () => {
  expect(await document("--check")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("add --out"),
  });
});
