import { describe, expect, test } from "vitest";
import { accessChanges } from "#generator/review/access/access-changes";
import { newReach } from "#generator/review/access/new-reach";
import { loadFiles } from "../load/load-text.ts";
import { inGit, project } from "../support/project.ts";
import { definitionOf, matrixOf, tableChanges, widened } from "./changes-between.ts";

const nickname = { nickname: { type: "string" } };
const users = (fields: object = {}, columns: object = nickname) => ({
  users: { fields: columns, access: { fields } },
});
const author = { type: "belongs_to", relationship: { model: "users" } };
const tickets = (fields: object = { author_id: author }) => ({
  tickets: { fields, access: { fetch: [{ role: "*" }] } },
});
const staff = { read: ["staff"] };

describe("what joins show of accounts is wider with", () => {
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[]]>([
    ["an entry that opens nothing", {}, users(), []],
    ["a read rule of a built-in field", {}, users({ email: staff }), ["users.email read by staff"]],
    ["a read rule of a runtime column", users(), users({ id: { read: ["*"] } }), ["users.id read by *"]],
    ["a read rule of an own field", users(), users({ nickname: staff }), ["users.nickname read by staff"]],
    ["a column that the owner writes", users(), users({ nickname: { write: ["self"] } }), ["users.nickname read by self", "users.nickname written by self"]],
    ["a column that administrators write", users(), users({ nickname: { write: ["admin"] } }), ["users.nickname written by admin"]],
    ["a column that the owner reads", users({ nickname: { read: [], write: ["admin"] } }), users({ nickname: { read: ["self"], write: ["admin"] } }), ["users.nickname read by self"]],
    ["a role more", users({ email: staff }), users({ email: { read: ["staff", "user"] } }), ["users.email read by user"]],
    ["a role less", users({ email: { read: ["staff", "user"] } }), users({ email: staff }), []],
    ["a rule that goes", users({ email: staff }), users(), []],
    ["an entry that goes", users({ email: staff }), {}, []],
    ["a relation, while no role reads a field", tickets({}), tickets(), []],
    ["a relation, if a role reads a field", { ...users({ email: staff }), ...tickets({}) }, { ...users({ email: staff }), ...tickets() },
      ["users.join to tickets.author_id: all rows"]],
    ["a read rule, where a relation was there", tickets(), { ...users({ email: staff }), ...tickets() }, ["users.email read by staff"]],
    ["an own field under a new name", users({ nickname: staff }), users({ alias: staff }, { alias: { type: "string", renamed_from: "nickname" } }),
      []],
  ])("%s", async (_, before, after, ids) => {
    expect(await widened(before, after)).toEqual(ids);
  });
});

test("a text that does not know accounts has shown nothing of them", async () => {
  const definition = await definitionOf({ ...tickets({}), ...users({ email: staff }) });
  const after = matrixOf(definition);
  expect(after).toContain("\nusers\n");
  const { widenedFields, narrowed } = accessChanges(
    { before: after.slice(0, after.indexOf("users")), after },
    tableChanges(definition, definition),
    new Map(),
  );
  expect(widenedFields.map(({ id }) => id)).toEqual(["users.email read by staff"]);
  expect(narrowed).toEqual({ rows: [], fields: [] });
});

test("a new field that everyone reads over joins is named", async () => {
  const matrix = matrixOf(await definitionOf(users({ nickname: { read: ["*"] }, email: staff })));
  expect(newReach([], ["users.nickname", "users.email", "users.role"], matrix).openFields).toEqual([
    "users.nickname",
  ]);
});

test("acknowledgements of accounts must match", async () => {
  const acknowledge = async (id: string) => {
    const { diagnostics } = await loadFiles({
      "models.json": users({ email: staff }),
      "access-acknowledged.json": { acknowledged: { [id]: "They answer mails." } },
    });
    return diagnostics.map(({ code }) => code);
  };
  expect(await acknowledge("users.email read by staff")).toEqual([]);
  expect(await acknowledge("users.email read by user")).toEqual(["stale-acknowledgement"]);
  expect(await acknowledge("users.nickname written by self")).toEqual(["stale-acknowledgement"]);
  expect(await acknowledge("users.role read by staff")).toEqual(["stale-acknowledgement"]);
  expect(await acknowledge("auth_tokens.token_hash read by *")).toEqual(["stale-acknowledgement"]);
});

const books = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "*" }] } } };

test("the first run opens accounts like a new model: what it adds to them is in the report, and nothing is wider", async () => {
  const open = { nickname: { read: ["*"] }, email: staff };
  const { report, problems } = await project({ ...books, ...users(open) }).generate();
  expect(problems).toEqual([]);
  expect(report).toMatchObject({
    models: { added: ["books"] },
    newModels: [{ model: "books" }],
    fields: { added: ["users.nickname"] },
    openFields: ["users.nickname"],
    widenedFields: [],
  });
});

test("reports include the app's own fields of accounts", async () => {
  const { generate, write } = project(books);
  await generate();
  write("models/models.json", { ...books, ...users() });
  const { report, problems } = await generate();
  expect(problems).toEqual([]);
  expect(report).toMatchObject({
    models: { added: [] },
    fields: { added: ["users.nickname"] },
    migrations: [{ name: "0002_add_nickname_to_users" }],
    breaking: [],
  });
});

test("a rebase of the migration that made a column hides no widening of it", async () => {
  const { generate, write } = project(users({ nickname: staff }));
  await generate();
  write("models/models.json", users({ nickname: { read: ["staff", "user"] } }));
  const { problems, report } = await generate({ rebase: ["0001_initial"] });
  expect(report?.widenedFields.map(({ id }) => id)).toEqual(["users.nickname read by user"]);
  expect(problems).toHaveLength(1);
  const closed = (read: string[]) => ({
    books: {
      fields: { title: { type: "string" }, cost: { type: "integer" } },
      access: { fetch: [{ role: "*" }], fields: { cost: { read } } },
    },
  });
  const made = project(closed([]));
  await made.generate();
  made.write("models/models.json", closed(["user"]));
  const rebased = await made.generate({ rebase: ["0001_initial"] });
  expect(rebased.report?.widenedFields.map(({ id }) => id)).toEqual(["books.cost read by user"]);
});

test("a commit is compared with although columns came and went since", async () => {
  const made = project({ ...books, ...users({ nickname: staff }) });
  const { generate, write } = made;
  await generate();
  inGit(made).commit();
  write("models/models.json", {
    ...books,
    ...users({ alias: { read: ["*"] } }, { alias: { type: "string" } }),
  });
  const { report } = await generate({ base: "HEAD", accepted: ["drop_column:users.nickname"] });
  expect(report).toMatchObject({
    fields: { added: ["users.alias"], removed: ["users.nickname"] },
    openFields: ["users.alias"],
    widenedFields: [],
  });
});
