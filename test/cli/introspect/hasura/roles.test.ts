import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "../../../support/database.ts";
import { adoptedProject } from "../adopted-project.ts";

/** The `access` of books with a select permission of one column for each role. */
async function accessOf(roles: readonly string[], ...flags: readonly string[]) {
  const { url, query } = await testDatabase();
  await query("CREATE TABLE books (id serial PRIMARY KEY, title text, cover bytea NOT NULL)");
  const project = adoptedProject(url);
  mkdirSync(join(project.root, "metadata/databases"), { recursive: true });
  project.write("metadata/version.yaml", "version: 3");
  const select = roles.map((role) => ({ role, permission: { columns: ["id"], filter: {} } }));
  const insert = roles.map((role) => ({ role, permission: { columns: "*", check: {} } }));
  const books = { table: "books", select_permissions: select, insert_permissions: insert };
  project.write("metadata/databases/databases.yaml", [{ name: "main", kind: "pg", tables: [books] }]);
  const { status, stderr } = await project.introspect("--hasura", "metadata", ...flags);
  expect(status).toBe(0);
  return { ...JSON.parse(project.read("models/models.json")).books.access, list: stderr };
}

// biome-ignore format: one case a line
test.each<readonly [string, readonly string[], readonly string[], readonly string[]]>([
  ["no role is guests without the flag", ["anonymous", "public"], [], ["anonymous", "public"]],
  ["guests by the flag", ["anonymous", "visitor"], ["--guest", "visitor"], ["anonymous", "guest"]],
  ["a role guest only by the flag", ["guest", "user"], [], ["user"]],
  ["a role guest by the flag", ["guest", "user"], ["--guest", "guest"], ["guest", "user"]],
  ["roles that manage accounts", ["system", "superadmin", "admin", "user"], [], ["user"]],
  ["names that mean several roles", ["*", "signed_in", "self", " user", "user"], [], ["user"]],
])("%s", async (_, roles, flags, expected) => {
  expect((await accessOf(roles, ...flags)).fetch).toEqual(expected.map((role) => ({ role })));
});

test("the role of --open has everything that the database permits, and reads what the others do not", async () => {
  const { list, ...access } = await accessOf(["user"], "--open", "admin");
  expect(access).toEqual({
    $all: [{ role: "admin" }],
    create: [],
    upsert: [],
    fetch: [{ role: "user" }, { role: "admin" }],
    fields: { title: { read: ["admin"] } },
  });
  expect(list).toMatch(
    /closed: insert of user on books: a required column has no field, so no row can be created\n/,
  );
});

test("a role of Hasura with the name of --open has one rule", async () => {
  const { fetch, fields, create } = await accessOf(["user", "adm"], "--open", "adm");
  expect({ fetch, fields, create }).toEqual({
    fetch: [{ role: "user" }, { role: "adm" }],
    fields: { title: { read: ["adm"] } },
    create: [],
  });
});

test.each<readonly [object, readonly object[], RegExp]>([
  [
    {},
    [{ role: "user", fields: ["name"] }],
    /: insert of user on members: callers can choose the id of a new row\n/,
  ],
  [
    { id: { _eq: "X-Hasura-User-Id" } },
    [],
    /closed: insert of user on members: callers can choose the id of a new row, which is not among its columns\n/,
  ],
])("callers choose no id that a rule compares with the caller: %j", async (filter, expected, line) => {
  const { url, query } = await testDatabase();
  await query("CREATE TABLE members (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text)");
  const project = adoptedProject(url);
  mkdirSync(join(project.root, "metadata/databases"), { recursive: true });
  project.write("metadata/version.yaml", "version: 3");
  const members = {
    table: "members",
    select_permissions: [{ role: "user", permission: { columns: "*", filter } }],
    insert_permissions: [{ role: "user", permission: { columns: ["name"], check: {} } }],
  };
  project.write("metadata/databases/databases.yaml", [
    { name: "default", kind: "postgres", tables: [members] },
  ]);
  const { stderr } = await project.introspect("--hasura", "metadata");
  expect(stderr).toMatch(line);
  expect(JSON.parse(project.read("models/models.json")).members.access.create ?? []).toEqual(expected);
});

test("an anchor can be used by many permissions", async () => {
  const { url, query } = await testDatabase();
  await query("CREATE TABLE books (id serial PRIMARY KEY)");
  const project = adoptedProject(url);
  mkdirSync(join(project.root, "metadata/databases"), { recursive: true });
  project.write("metadata/version.yaml", "version: 3");
  const permissions = Array.from(
    { length: 150 },
    (_, at) => `{ role: r${at}, permission: { filter: {}, columns: ${at === 0 ? "&all [id]" : "*all"} } }`,
  );
  const books = `{ table: books, select_permissions: [${permissions.join(", ")}] }`;
  project.write("metadata/databases/databases.yaml", `[{ name: main, kind: pg, tables: [${books}] }]`);
  expect(await project.introspect("--hasura", "metadata")).toMatchObject({ status: 0 });
  expect(JSON.parse(project.read("models/models.json")).books.access.fetch).toHaveLength(150);
});
