import { describe, expect, test } from "vitest";
import { accessChanges } from "#generator/review/access/access-changes";
import { definitionOf, matrixOf, tableChanges } from "./changes-between.ts";

/** The form with a line for each operation and role, of the models below. */
const former =
  `# Who may do what, on which rows and fields. Made by \`npm run generate\` from models/models.json.
# model.operation, role (* is everyone including guests, signed_in everyone except guests), rows, fields. Everything else is denied.
books                             field cost: read by admin, written by "a b", admin
books                             field owner: read by everybody, written by nobody, preset {user_id}
books                             path author: books.author_id > authors.id (live)
books.fetch                       *             title = 'x'  reads all'                   reads author_id, owner, title
books.fetch                       admin         title = 'x'  reads all' OR author.name = 'y'  reads author_id, cost, owner, title
books.search                      nobody
books.count                       *             title = 'x'  reads all'                   reads author_id, owner, title
books.count                       admin         title = 'x'  reads all' OR author.name = 'y'  reads author_id, cost, owner, title
books.exists                      *             title = 'x'  reads all'                   reads author_id, owner, title
books.exists                      admin         title = 'x'  reads all' OR author.name = 'y'  reads author_id, cost, owner, title
books.create                      "a b"         all rows                                  reads author_id, owner, title, writes author_id, cost, title
books.update                      nobody
books.upsert:insert               "a b"         all rows                                  reads author_id, owner, title, writes author_id, cost, title
books.upsert:update               nobody
books.delete                      nobody
books.destroy                     nobody
authors                           internal, reached by joins alone
authors.join                      books.author_id  all rows                                  reads all
users                             internal, reached by joins alone; nobody reads a field without a line
users                             field first_name: read by signed_in
`.replaceAll("title = 'x'  reads all'", "title = 'x''  reads all'");

const models = {
  books: {
    fields: {
      title: { type: "string" },
      cost: { type: "integer" },
      owner: { type: "integer", preset: "{user_id}" },
      author_id: { type: "belongs_to", relationship: { model: "authors" } },
    },
    access: {
      fetch: [
        { role: "*", condition: "title = 'x''  reads all'" },
        { role: "admin", condition: "author.name = 'y'" },
      ],
      create: [{ role: "a b" }],
      fields: { cost: { read: ["admin"], write: ["admin", "a b"] } },
    },
  },
  authors: { fields: { name: { type: "string" } }, internal: true, soft_delete: true },
  users: { access: { fields: { first_name: { read: ["signed_in"] } } } },
};

describe("the former form of the matrix", () => {
  const { books } = models;
  const access = (more: object) => ({ ...models, books: { ...books, access: { ...books.access, ...more } } });
  // biome-ignore format: one case a line
  test.each<[string, object, string[]]>([
    ["of the same models", models, []],
    ["before a rule", access({ search: [{ role: "user" }] }), ["books.search to user: all rows"]],
    ["before other rows", access({ fetch: [{ role: "*" }] }), ["books.fetch to *: all rows"]],
    ["before a gate", access({ fields: { cost: { read: ["admin", "user"], write: [] } } }), ["books.cost read by user"]],
    ["before a preset", access({ update: [{ role: "admin", condition: "owner = {user_id}" }], fields: { ...books.access.fields, owner: { write: ["admin"] } } }),
      ["books.update to admin: owner = {user_id}", "books.owner written by admin"]],
    ["before a field of accounts", { ...models, users: { access: { fields: { email: { read: ["staff"] } } } } }, ["users.email read by staff"]],
    ["before a path", { ...models, authors: { ...models.authors, soft_delete: false } }, ["books path author: books.author_id > authors.id"]],
  ])("%s is compared with the new form", async (_, after, ids) => {
    const [was, is] = [await definitionOf(models), await definitionOf(after)];
    const changes = accessChanges({ before: former, after: matrixOf(is) }, tableChanges(was, is), new Map());
    const rows = changes.widenedAccess.filter(({ over }) => over === undefined);
    const found = [...rows, ...changes.widenedFields, ...changes.widenedPaths, ...changes.widenedPresets];
    expect(found.map(({ id }) => id)).toEqual(ids);
    if (after === models) expect(changes.narrowed).toEqual({ rows: [], fields: [] });
  });
});
