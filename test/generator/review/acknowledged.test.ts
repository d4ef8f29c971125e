import { expect, test } from "vitest";
import { type Project, project } from "../support/project.ts";

const file = "models/access-acknowledged.json";
const fields = { title: { type: "string" }, open: { type: "boolean" } };
/** A model that is always reachable. */
const always = { create: [{ role: "admin" }] };
const books = (access: object, parts: object = {}) => ({
  books: { fields, access: { ...always, ...access }, ...parts },
});
const rule = (role: string, condition?: string) => ({
  role,
  ...(condition === undefined ? {} : { condition }),
});
const acknowledge = ({ write }: Project, acknowledged: object) => write(file, { acknowledged });

/** A project that was generated once, with other models since. */
async function changed(before: object, after: object): Promise<Project> {
  const made = project(before);
  await made.generate();
  made.write("models/models.json", after);
  return made;
}

test("the first generation needs no acknowledgement", async () => {
  expect(await project(books({ fetch: [rule("*")] })).generate()).toMatchObject({
    exitCode: 0,
    problems: [],
  });
});

test.each(["write", "check", "preview"] as const)("wider access stops a run in mode %s", async (mode) => {
  const { generate, files } = await changed(
    books({}),
    books({ fetch: [rule("user"), rule("*", "open = true")] }),
  );
  const before = files("generated");
  const { exitCode, problems } = await generate({ mode });
  expect(exitCode).toBe(1);
  expect(problems[0]).toEqual({
    kind: "access",
    message: "WIDER ACCESS that is not acknowledged; nothing was written",
    details: `  books.fetch, with count and exists, opens the rows with open = true to everyone; before: nothing
  books.fetch, with count and exists, opens all rows to user; before: nothing

write models/access-acknowledged.json:

{
  "$schema": "../schemas/access-acknowledged.schema.json",
  "acknowledged": {
    "books.fetch to *: open = true": "<why>",
    "books.fetch to user: all rows": "<why>"
  }
}

`,
    fix: "replace each <why> with a reason, or revert the change; then run npm run generate",
  });
  expect(files("generated")).toEqual(before);
});

test("it prints the file, except the reasons", async () => {
  const made = await changed(
    books({}),
    books({ create: [rule('a "b"')], fields: { open: { write: ["admin"] } } }),
  );
  const { problems } = await made.generate();
  const [text = ""] = /\{\n.*\n\}\n/s.exec(problems[0]?.details ?? "") ?? [];
  made.write(file, text);
  expect((await made.generate()).diagnostics.map(({ code }) => code)).toEqual(["empty-reason"]);
  made.write(file, text.replace("<why>", "they write them"));
  expect(await made.generate()).toMatchObject({ exitCode: 0, diagnostics: [], problems: [] });
});

test("the lines for a file that has some already end with a comma", async () => {
  const made = await changed(books({ fetch: [rule("a")] }), books({ fetch: [rule("a"), rule("b")] }));
  acknowledge(made, { "books.fetch to a: all rows": "they read" });
  const { problems } = await made.generate();
  expect(problems[0]?.details).toContain(
    `add to "acknowledged" in ${file}:\n\n    "books.fetch to b: all rows": "<why>",\n`,
  );
});

test("the lines for a file that has none yet do not", async () => {
  const made = await changed(books({}), books({ search: [rule("b")] }));
  acknowledge(made, {});
  const { problems } = await made.generate();
  expect(problems[0]?.details).toContain(
    `add to "acknowledged" in ${file}:\n\n    "books.search to b: all rows": "<why>"\n\n`,
  );
});

test("equal changes for one role in many models are under one heading", async () => {
  const models = (role: string) => {
    const access = {
      ...always,
      fetch: [rule(role)],
      create: [rule(role)],
      fields: { open: { read: [role] } },
    };
    return Object.fromEntries(["a", "b", "c"].map((key) => [key, { fields, access }]));
  };
  const { problems } = await (await changed(models("staff"), models("clerk"))).generate();
  expect(problems[0]?.details).toContain(`  opens all rows to clerk; before: nothing:
    a: fetch (with count and exists), create (with upsert:insert)
    b: fetch (with count and exists), create (with upsert:insert)
    c: fetch (with count and exists), create (with upsert:insert)
  can be read by clerk:
    a: open
    b: open
    c: open

write ${file}:
`);
});

test("an acknowledgement lets its widening pass, and is in the report", async () => {
  const made = await changed(books({}), books({ fetch: [rule("user")] }));
  acknowledge(made, { "books.fetch to user: all rows": "the catalogue is public" });
  const { exitCode, report } = await made.generate();
  expect(exitCode).toBe(0);
  expect(report?.widenedAccess).toMatchObject([{ reason: "the catalogue is public" }]);
  expect(await made.generate({ mode: "check" })).toMatchObject({ exitCode: 0, diagnostics: [] });
});

test("an acknowledgement of some rows does not cover others, nor another role or operation", async () => {
  const made = await changed(books({}), books({ search: [rule("user")] }));
  acknowledge(made, {
    "books.search to user: open = true": "only the open ones",
    "books.search to admin: all rows": "they see all",
    "books.fetch to user: all rows": "they see all",
  });
  const { exitCode, problems, diagnostics } = await made.generate();
  expect({ exitCode, kinds: problems.map(({ kind }) => kind) }).toEqual({ exitCode: 1, kinds: ["access"] });
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["stale-acknowledgement", "warning"],
    ["stale-acknowledgement", "warning"],
    ["stale-acknowledgement", "warning"],
  ]);
  expect(diagnostics[0]?.hint).toBe('did you mean "books.search to user: all rows"?');
});

test("a field that is not there is not open", async () => {
  const made = project(books({ fetch: [rule("user")], create: [rule("user")] }));
  acknowledge(made, {
    "books.titel read by user": "they read it",
    "books.created_at written by user": "they set it",
    "books.anything read by user": "they read it",
    "books.title read by user": "they read it",
    "books.created_at read by user": "they read it",
    "books.title raed by user": "they read it",
  });
  const { diagnostics } = await made.generate();
  // biome-ignore format: one case a line
  expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
    ["stale-acknowledgement", '"books.titel read by user" is not open', 'did you mean "books.title read by user"?'],
    ["stale-acknowledgement", '"books.created_at written by user" is not open', 'did you mean "books.created_at read by user"?'],
    ["stale-acknowledgement", '"books.anything read by user" is not open', "remove the entry"],
    ["unknown-acknowledgement", '"books.title raed by user" is not an access id', 'did you mean "books.title read by user"?'],
  ]);
});

test("the acknowledgement of a field or a relation holds for every later way to its model", async () => {
  const gated = (read: string[]) => books({ fields: { title: { read } } });
  const made = await changed(gated(["admin"]), gated(["admin", "user"]));
  acknowledge(made, { "books.title read by user": "they fetch it soon" });
  expect(await made.generate()).toMatchObject({ exitCode: 0, diagnostics: [], problems: [] });
  const author = {
    type: "integer",
    foreign_key: true,
    relationship: { model: "authors", foreign_key: "id" },
  };
  const authors = { authors: { fields, internal: true } };
  const joined = await changed(
    { ...books({}), ...authors },
    { books: { fields: { ...fields, author }, access: always }, ...authors },
  );
  acknowledge(joined, { "authors.join to books.author: all rows": "books show who wrote them" });
  expect(await joined.generate()).toMatchObject({ exitCode: 0, diagnostics: [], problems: [] });
});

test("access that was narrowed again makes its acknowledgement stale, which other rows cannot use", async () => {
  const made = await changed(books({}), books({ search: [rule("user", "open = true")] }));
  acknowledge(made, { "books.search to user: open = true": "only the open ones" });
  expect(await made.generate()).toMatchObject({ exitCode: 0, diagnostics: [] });
  made.write("models/models.json", books({}));
  const narrowed = await made.generate();
  expect(narrowed.exitCode).toBe(0);
  expect(narrowed.diagnostics).toMatchObject([
    { code: "stale-acknowledgement", file, hint: "remove the entry" },
  ]);
  made.write("models/models.json", books({ search: [rule("user", "open = false")] }));
  expect((await made.generate()).exitCode).toBe(1);
});

test("the acknowledgements are next to the models file, in any folder", async () => {
  const made = project();
  const options = { models: "my app/m.json", out: "output" };
  made.write("my app/m.json", books({}));
  await made.generate(options);
  made.write("my app/m.json", books({ delete: [rule("user")] }));
  const { problems } = await made.generate(options);
  expect(problems[0]?.details).toContain("write my app/access-acknowledged.json:");
  expect(problems[0]?.fix).toMatch(/; then run npm run generate -- --models 'my app\/m.json' --out output$/);
  made.write("my app/access-acknowledged.json", {
    acknowledged: { "books.delete to user: all rows": "they tidy up" },
  });
  expect(await made.generate(options)).toMatchObject({ exitCode: 0, diagnostics: [] });
});

const matrix = "generated/access-matrix.txt";

test("deleting the matrix does not bypass the review: the run stops while any model changes", async () => {
  const made = await changed(books({}), books({ fetch: [rule("*")] }));
  made.remove(matrix);
  for (const force of [false, true])
    // biome-ignore format: one case a line
    expect(await made.generate({ force })).toMatchObject({ exitCode: 1,
      problems: [{ kind: "access", message: `${matrix} was changed since the last run, so Kirak cannot tell which access is new`,
        fix: `restore it from version control, or compare with a commit: npm run generate -- --base HEAD${force ? " --force" : ""}` }],
    });
});

test("nor is one that was edited, be it to what the models give", async () => {
  const made = await changed(books({}), books({ fetch: [rule("*")] }));
  const other = project(books({ fetch: [rule("*")] }));
  await other.generate();
  const edited = made
    .read(matrix)
    .replace("\n  denied", "\n  fetch, count, exists             *: all rows\n  denied");
  for (const text of [other.read(matrix), edited]) {
    expect(text).toContain("*: all rows");
    made.write(matrix, text);
    for (const force of [false, true]) {
      const { exitCode, problems } = await made.generate({ force });
      expect({ exitCode, kind: problems[0]?.kind }).toEqual({ exitCode: 1, kind: "access" });
    }
  }
});

test("a matrix that is gone is made again where the models are as they were", async () => {
  const made = project(books({ fetch: [rule("*")] }));
  await made.generate();
  const text = made.read(matrix);
  made.remove(matrix);
  expect((await made.generate()).exitCode).toBe(0);
  expect(made.read(matrix)).toBe(text);
  made.write(matrix, "mine\n");
  expect((await made.generate({ force: true })).exitCode).toBe(0);
  expect(made.read(matrix)).toBe(text);
});

test("deleting all of the output resets the review", async () => {
  const made = await changed(books({}), books({ fetch: [rule("*")] }));
  made.remove("generated");
  expect((await made.generate()).exitCode).toBe(0);
});
