import { expect, test } from "vitest";
import { project } from "../support/project.ts";

const belongsTo = { type: "belongs_to", relationship: { model: "users" } };
const books = { books: { fields: { owner_id: belongsTo }, access: { fetch: [{ role: "*" }] } } };
const owned = { type: "has_many", relationship: { model: "books", foreign_key: "owner_id" } };
const nickname = { nickname: { type: "string" } };

/** The files of `generated/models/users/`, and what `index.ts` has of the accounts. */
// biome-ignore format: one case a line
test.each<[string, object, string[], string]>([
  ["nothing", {}, [], "accounts: {},"],
  ["an entry that adds nothing", { fields: {} }, [], "accounts: {},"],
  ["a column", { fields: nickname }, ["model.ts", "validators.ts"], "{ users, validators: usersValidators }"],
  ["only a relation", { fields: { books: owned } }, ["model.ts"], "accounts: { users },"],
  ["only a key", { unique: [["first_name", "last_name"]] }, ["model.ts"], "accounts: { users },"],
  ["only an index", { indexes: [["last_name"]] }, [], "accounts: {},"],
  ["only a read rule", { access: { fields: { first_name: { read: ["*"] } } } }, ["policy.ts"], "accounts: { policy: usersPolicy },"],
  ["a column that the owner writes", { fields: nickname, access: { fields: { nickname: { write: ["self"] } } } }, ["model.ts", "policy.ts", "validators.ts"],
    "accounts: { users, policy: usersPolicy, validators: usersValidators },"],
  ["all of it", { fields: nickname, access: { fields: { nickname: { read: ["*"] } } } }, ["model.ts", "policy.ts", "validators.ts"],
    "accounts: { users, policy: usersPolicy, validators: usersValidators },"],
])(
  "an app that adds %s to accounts has that in generated/",
  async (_, users, files, index) => {
    const { generate, files: filesIn, read } = project({ ...books, users });
    expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
    expect(Object.keys(filesIn("generated/models/users"))).toEqual(files);
    expect(read("generated/index.ts")).toContain(index);
  },
);

test("policy and matrix show who reads and writes the columns, with self as a role", async () => {
  const gates = {
    nickname: { read: ["staff"], write: ["self"] },
    plan: { read: ["self"], write: ["admin"] },
    pin: { write: ["self", "admin"] },
    note: { write: ["staff"] },
    closed: { read: [], write: [] },
  };
  const columns = Object.keys(gates).map((name) => [name, { type: name === "pin" ? "password" : "string" }]);
  const users = { fields: Object.fromEntries(columns), access: { fields: gates } };
  const { generate, read } = project({ ...books, users });
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
  const matrix = read("generated/access-matrix.txt");
  expect(matrix.slice(matrix.indexOf("\nusers\n"))).toBe(
    `
users
  internal, joined by              books.owner_id
  reads
    *                              –
    self, staff                    and nickname
    self                           and plan
  writes
    self                           and nickname
    staff                          and note
    admin, self                    and pin
    admin                          and plan
`,
  );
  const policy = read("generated/models/users/policy.ts");
  for (const line of [
    'nickname: { read: ["staff", "self"], write: ["self"] }',
    'pin: { read: [], write: ["admin", "self"] }',
    'plan: { read: ["self"], write: ["admin"] }',
  ])
    expect(policy).toContain(line);
  // No join shows it.
  expect(read("generated/graphql/schema.graphql")).not.toMatch(/\bplan\b|\bnote\b|\bpin\b/);
});
