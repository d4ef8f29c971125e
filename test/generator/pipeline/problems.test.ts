import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileSystemProblem } from "#generator/diagnostics/stop";
import { codeFormat } from "#vocabulary/code-format";
import { project } from "../support/project.ts";

const books = (...names: readonly string[]) => ({
  books: {
    fields: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    access: { fetch: [{ role: "admin" }] },
  },
});
const policy = "generated/models/books/policy.ts";

test("the printed fix is one command, with the steps that were accepted before", async () => {
  const { generate, write } = project(books("title", "isbn", "pages"));
  await generate();
  write("models/models.json", books("title"));
  write(policy, "export {};\n");
  const { problems } = await generate({ accepted: ["drop_column:books.isbn"] });
  const fix =
    "npm run generate -- --accept-destructive drop_column:books.isbn --accept-destructive drop_column:books.pages --force";
  expect(problems).toMatchObject([
    { kind: "destructive", fix },
    { kind: "edited", fix },
  ]);
  const accepted = ["drop_column:books.isbn", "drop_column:books.pages"];
  expect(await generate({ accepted, force: true })).toMatchObject({ exitCode: 0 });
});

test("the printed fix names other places than the usual ones", async () => {
  const { generate, write } = project();
  write("my app/models.json", books("title"));
  const { problems } = await generate({ mode: "check", models: "my app/models.json", out: "output" });
  expect(problems[0]?.fix).toBe("npm run generate -- --models 'my app/models.json' --out output");
});

test("a check names unknown files and fails, and the files stay", async () => {
  const { generate, write, read } = project(books("title"));
  await generate();
  write("generated/.gitattributes", "* linguist-generated\n");
  expect((await generate({ mode: "check" })).exitCode).toBe(0);
  write("generated/models/evil/routes.ts", "export {};\n");
  expect(await generate({ mode: "check" })).toMatchObject({
    exitCode: 1,
    problems: [{ kind: "drift", message: "not made by the generator: generated/models/evil/routes.ts" }],
  });
  expect((await generate()).exitCode).toBe(0);
  expect(read("generated/models/evil/routes.ts")).toBe("export {};\n");
});

test("a lock with the marks of a merge is named, and rebuilt by the next run", async () => {
  const { generate, write, read, files } = project(books("title"));
  await generate();
  const { "manifest.lock.json": _, ...before } = files("generated");
  const lock = "generated/manifest.lock.json";
  write(lock, `<<<<<<< ours\n${read(lock)}=======\n${read(lock)}>>>>>>> theirs\n`);
  const checked = await generate({ mode: "check" });
  expect(checked.exitCode).toBe(1);
  expect(checked.problems[0]?.message).toMatch(
    /^generated\/manifest\.lock\.json cannot be read: run again to rebuild it\n/,
  );
  expect((await generate()).exitCode).toBe(0);
  expect(files("generated")).toMatchObject(before);
  expect((await generate({ mode: "check" })).exitCode).toBe(0);
});

test("the next run updates a lock of an older kirak to the current format, and --check reports it", async () => {
  const { generate, write, read, files } = project(books("title"));
  await generate();
  const before = files("generated");
  const lock = "generated/manifest.lock.json";
  const { code_format, ...older } = JSON.parse(read(lock));
  expect(code_format).toBe(codeFormat);
  write(lock, `${JSON.stringify(older, null, 2)}\n`);
  const { exitCode, problems } = await generate({ mode: "check" });
  expect({ exitCode, problems }).toMatchObject({ exitCode: 1, problems: [{ kind: "drift" }] });
  expect(problems[0]?.message).toMatch(
    /^generated\/ was made by another version of kirak \(no code format, this one writes 1\)\n/,
  );
  expect(problems[0]?.details).toContain('+  "code_format": 1,');
  expect((await generate()).report?.files.written).toEqual(["manifest.lock.json"]);
  expect(files("generated")).toEqual(before);
});

test("output of a newer kirak stays, until --force", async () => {
  const { generate, write, read, files } = project(books("title"));
  await generate();
  const before = files("generated");
  const lock = "generated/manifest.lock.json";
  const newer = read(lock).replace('"code_format": 1', '"code_format": 2');
  for (const [mode, text] of [
    ["check", newer],
    ["write", newer],
    ["write", `<<<<<<< ours\n${read(lock)}=======\n${newer}>>>>>>> theirs\n`],
  ] as const) {
    write(lock, text);
    expect(await generate({ mode })).toMatchObject({ exitCode: 2, problems: [{ kind: "output" }] });
    expect(read(lock)).toBe(text);
  }
  const { problems } = await generate();
  expect(problems[0]?.message).toContain(
    "made by a newer version of kirak (code format 2, this one writes 1)",
  );
  expect(problems[0]?.fix).toContain("npm run generate -- --force");
  write(lock, newer);
  expect((await generate({ force: true })).exitCode).toBe(0);
  expect(files("generated")).toEqual(before);
});

test("a file where the output folder should be ends the run with 2 and a sentence", async () => {
  const { generate, write } = project(books("title"));
  write("generated", "mine\n");
  const { exitCode, problems } = await generate();
  expect(exitCode).toBe(2);
  expect(problems).toMatchObject([{ kind: "file-system" }]);
  expect(problems[0]?.message).toMatch(
    /generated cannot be read or written: a part of the path is a file, not a folder \(ENOTDIR\)$/,
  );
});

test("a folder where a file should be ends the run with 2 and its path", async () => {
  const { generate, root } = project(books("title"));
  mkdirSync(join(root, policy), { recursive: true });
  const { exitCode, problems } = await generate();
  expect(exitCode).toBe(2);
  expect(problems[0]?.message).toContain(
    `${policy} cannot be read or written: expected a file, found a folder`,
  );
});

test.each(["EACCES", "EROFS", "ENOSPC"])("%s is not a bug of the generator", (code) => {
  const error = Object.assign(new Error("x"), { code, syscall: "open", path: "/a/b" });
  expect(fileSystemProblem(error)?.message).toContain("/a/b cannot be read or written: ");
});

test("other errors are", () => {
  expect(fileSystemProblem(new TypeError("x"))).toBeNull();
  expect(fileSystemProblem(Object.assign(new Error("x"), { code: "ENOENT", syscall: "open" }))).toBeNull();
});
