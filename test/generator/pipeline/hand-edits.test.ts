import { expect, test } from "vitest";
import { project } from "../support/project.ts";

const fields = { title: { type: "string" } };
const access = { fetch: [{ role: "user" }] };
const books = { fields, access };
const folder = "generated/models/books";

test.each([
  "generated/index.ts",
  "generated/access-matrix.txt",
  ...["model", "policy", "routes", "validators"].map((name) => `${folder}/${name}.ts`),
])("an edit of %s is named, shown as a diff, and overwritten only with --force", async (path) => {
  const { generate, write, read } = project({ books });
  await generate();
  const original = read(path);
  const edited = `${original.trimEnd()} \n`;
  write(path, edited);
  for (const mode of ["write", "check", "preview"] as const) {
    const { exitCode, problems } = await generate({ mode });
    expect(exitCode).toBe(1);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ kind: "edited", fix: "npm run generate -- --force" });
    expect(problems[0]?.message).toBe(`edited by hand, and not overwritten: ${path}`);
    expect(problems[0]?.details).toMatch(
      /^what --force would do \(- is on disk, \+ is what the generator writes\):\n--- /,
    );
    expect(problems[0]?.details).toContain(`--- a/${path}\n+++ b/${path}\n@@`);
    expect(problems[0]?.details).toContain(`\n-${edited.split("\n").at(-2)}\n`);
    expect(read(path)).toBe(edited);
  }
  expect((await generate({ force: true })).exitCode).toBe(0);
  expect(read(path)).toBe(original);
});

test("all edits are named at once, with one command", async () => {
  const { generate, write } = project({ books });
  await generate();
  write(`${folder}/policy.ts`, "mine\n");
  write(`${folder}/routes.ts`, "mine\n");
  const { problems } = await generate();
  expect(problems.map(({ message }) => message)).toEqual([
    `edited by hand, and not overwritten: ${folder}/policy.ts, ${folder}/routes.ts`,
  ]);
});

test("an edited file is not removed along with its model either", async () => {
  const { generate, write, read } = project({ books, pens: books });
  await generate();
  write("generated/models/pens/policy.ts", "mine\n");
  write("models/models.json", { books });
  const accepted = ["drop_table:pens"];
  const { problems } = await generate({ accepted });
  expect(problems).toMatchObject([{ kind: "edited" }]);
  expect(problems[0]?.details).toContain("--- a/generated/models/pens/policy.ts\n+++ /dev/null\n");
  expect(read("generated/models/pens/policy.ts")).toBe("mine\n");
  expect((await generate({ accepted, force: true })).exitCode).toBe(0);
  expect(() => read("generated/models/pens/policy.ts")).toThrow("ENOENT");
});

test("an edit that equals the new output is not reported", async () => {
  const { generate, write, read } = project({ books });
  await generate();
  const path = `${folder}/model.ts`;
  const slug = { books: { ...books, slug: "novels" } };
  write(path, read(path).replace('slug: "books"', 'slug: "novels"'));
  write("models/models.json", slug);
  expect(await generate()).toMatchObject({ exitCode: 0, problems: [] });
});

test("a generated file that is gone is made again without a word", async () => {
  const { generate, read, remove } = project({ books });
  await generate();
  const path = `${folder}/policy.ts`;
  const original = read(path);
  remove(path);
  expect(await generate()).toMatchObject({ exitCode: 0, problems: [] });
  expect(read(path)).toBe(original);
});
