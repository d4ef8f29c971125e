import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { testDatabase } from "../../../support/database.ts";
import { sendRequest } from "../../../support/request.ts";
import { type Caller, tokenOf } from "../../../support/service-token.ts";
import { adoptedProject } from "../adopted-project.ts";

const schema = `
  CREATE TABLE users (id integer PRIMARY KEY, team text, code uuid);
  INSERT INTO users VALUES (1, 'red', '00000000-0000-4000-8000-000000000001'), (2, 'blue', NULL), (3, NULL, NULL);
  CREATE TABLE books (
    id integer PRIMARY KEY, title text, owner_id integer REFERENCES users, editor_id integer, rank integer, out boolean, at timestamptz,
    meta jsonb, state text DEFAULT 'open', code uuid
  );
  INSERT INTO books VALUES
    (1, 'Alpha', 1, 1, 5, true, now() - interval '1 day', '{}'), (2, 'beta', 2, 1, 2, false, now() + interval '1 day', NULL),
    (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (4, 'It''s', 1, 2, 9, true, NULL, NULL), (5, 'a_c%', 3, 3, 7, false, NULL, NULL);
  CREATE TABLE shares (book_id integer REFERENCES books, user_id integer REFERENCES users, level integer, PRIMARY KEY (book_id, user_id));
  INSERT INTO shares VALUES (2, 1, 1), (3, 1, 9), (5, 2, 9);
  CREATE TABLE blocks (id serial PRIMARY KEY, book_id integer REFERENCES books, user_id integer, name text);
  INSERT INTO blocks (book_id, user_id, name) VALUES (1, 2, '2'), (5, 1, '1'), (4, NULL, NULL);
`;

const caller = "X-Hasura-User-Id";
const own = { owner_id: { _eq: caller } };

/** A flat condition of more than 4,000 characters, which a definition cannot have. */
const longFilter = {
  title: {
    _in: [
      "Alpha",
      ..."x"
        .repeat(50)
        .split("")
        .map((x, at) => x.repeat(100) + at),
    ],
  },
};

/** The books that user 1 sees under a filter, as Hasura answers them; null if no rule can say it, and the operation is closed. */
// biome-ignore format: one case a line
const filters: Readonly<Record<string, readonly [filter: Json, seen: readonly number[] | null]>> = {
  all: [{}, [1, 2, 3, 4, 5]],
  own: [own, [1, 4]],
  written_in_lower_case: [{ owner_id: { _eq: "x-hasura-user-id" } }, [1, 4]],
  without_operator: [{ owner_id: caller }, [1, 4]],
  with_dollar: [{ owner_id: { $eq: caller } }, null],
  or_with_dollar: [{ $or: [own, { id: { _eq: 2 } }] }, null],
  without_underscore: [{ owner_id: { eq: caller } }, null],
  of_another_prefix: [{ owner_id: { xneq: caller } }, null],
  boolean_text: [{ out: { _eq: "TRUE" } }, [1, 4]],
  condition_as_boolean: [{ out: { _eq: "true OR id > 0" } }, null],
  legacy_caller: [{ title: { _neq: "Req_User_Id" } }, null],
  over_the_limit: [longFilter, [1]],
  not_own: [{ owner_id: { _neq: caller } }, [2, 5]],
  not_of_own: [{ _not: own }, [2, 5]],
  and: [{ _and: [own, { rank: { _gt: 5 } }] }, [4]],
  several_keys: [{ ...own, out: { _eq: true }, rank: { _lt: 9 } }, [1]],
  or: [{ _or: [own, { title: { _is_null: true } }] }, [1, 3, 4]],
  or_in_and: [{ _and: [{ _or: [{ id: { _eq: 1 } }, { id: { _eq: 2 } }] }, { _or: [{ rank: { _eq: 2 } }, { rank: { _eq: 9 } }] }] }, [2]],
  or_all: [{ _or: [own, {}] }, null],
  no_alternative: [{ _or: [] }, null],
  empty_and: [{ _and: [] }, [1, 2, 3, 4, 5]],
  not_all: [{ _not: {} }, null],
  in_list: [{ title: { _in: ["Alpha", "It's"] } }, [1, 4]],
  in_nothing: [{ title: { _in: [] } }, null],
  not_in_list: [{ rank: { _nin: [5, 2] } }, [4, 5]],
  not_in_nothing: [{ rank: { _nin: [] } }, null],
  is_null: [{ owner_id: { _is_null: true } }, [3]],
  is_not_null: [{ at: { _is_null: false } }, [1, 2]],
  like: [{ title: { _like: "A%" } }, [1]],
  ilike: [{ title: { _ilike: "%A%" } }, [1, 2, 5]],
  not_like: [{ title: { _nlike: "A%" } }, [2, 4, 5]],
  between: [{ rank: { _gte: 5, _lte: 7 } }, [1, 5]],
  past: [{ at: { _lt: "now()" } }, [1]],
  columns: [{ owner_id: { _ceq: "editor_id" } }, null],
  text_of_a_number: [{ rank: { _eq: "9" } }, [4]],
  parent: [{ owner: { team: { _eq: "red" } } }, [1, 4]],
  parent_exists: [{ owner: {} }, [1, 2, 4, 5]],
  parent_is_null: [{ owner: { team: { _is_null: true } } }, [5]],
  no_parent_in_team: [{ _not: { owner: { team: { _eq: "red" } } } }, [2, 3, 5]],
  shared: [{ shares: { user_id: { _eq: caller } } }, [2, 3]],
  shared_and_high: [{ shares: { user_id: { _eq: caller }, level: { _gt: 5 } } }, [3]],
  shared_or_own: [{ _or: [own, { shares: { user_id: { _eq: caller } } }] }, [1, 2, 3, 4]],
  shares_of_team: [{ shares: { user: { team: { _eq: "blue" } } } }, [5]],
  not_shared: [{ _not: { shares: {} } }, [1, 4]],
  shared_by_owner: [{ shares: { user_id: { _cne: ["$", "owner_id"] } } }, null],
  not_blocked_by_name: [{ _not: { blocks: { name: { _eq: caller } } } }, [1, 2, 3, 4]],
  not_blocked: [{ _not: { blocks: { user_id: { _eq: caller } } } }, null],
  not_not_blocked: [{ _not: { _not: { blocks: { user_id: { _eq: caller } } } } }, null],
  not_blocked_in_list: [{ _not: { _or: [{ blocks: { user_id: { _in: [caller, 3] } } }] } }, null],
  block_without_share: [{ blocks: { _not: { book: { shares: { user_id: { _eq: caller } } } } } }, null],
  no_block_of_another: [{ _not: { blocks: { _not: { user_id: { _eq: caller } } } } }, null],
  role: [{ title: { _eq: "X-Hasura-Role" } }, []],
  other_variable: [{ owner_id: { _eq: "X-Hasura-Org-Id" } }, null],
  list_variable: [{ owner_id: { _in: "X-Hasura-Allowed-Ids" } }, null],
  variable_in_list: [{ owner_id: { _in: [caller, 2] } }, [1, 2, 4]],
  null_value: [{ owner_id: { _eq: null } }, null],
  exists: [{ _exists: { _table: { name: "users", schema: "public" }, _where: { id: { _eq: caller } } } }, null],
  json: [{ meta: { _contains: {} } }, null],
  regex: [{ title: { _regex: "^A" } }, null],
  aggregate: [{ shares_aggregate: { count: { predicate: { _gt: 1 } } } }, null],
  unknown_column: [{ owner: { password: { _eq: "x" } } }, null],
  other_type: [{ rank: { _eq: "high" } }, null],
  not_a_filter: [["id"], null],
  caller_as_uuid: [{ _or: [{ code: { _eq: caller } }, { id: { _eq: 2 } }] }, [2]],
};

const relation = (name: string, using: Json) => ({ name, using: { foreign_key_constraint_on: using } });
const back = (table: string) => ({ column: "book_id", table: { name: table, schema: "public" } });
const everyColumn = (role: string, filter: Json, more: object = {}) => ({
  role,
  permission: { columns: "*", filter, ...more },
});
const idOnly = (role: string, filter: Json, columns: Json = ["id"]) => ({
  role,
  permission: { columns, filter },
});

const tables = [
  {
    table: { name: "books", schema: "public" },
    object_relationships: [relation("owner", "owner_id")],
    array_relationships: [relation("shares", back("shares")), relation("blocks", back("blocks"))],
    select_permissions: [
      ...Object.entries(filters).map(([role, [filter]]) => everyColumn(role, filter)),
      idOnly("anonymous", { id: { _eq: 2 } }, ["id", "rank"]),
      everyColumn("writer", {}),
      everyColumn("reader", {}, { query_root_fields: [] }),
      everyColumn("odd", {}, { future_key: true }),
      everyColumn("twice", { id: { _eq: 1 } }),
      everyColumn("twice", {}),
      everyColumn("guest", {}),
      everyColumn("over_the_limit_too", longFilter),
    ],
    insert_permissions: [
      {
        role: "writer",
        permission: {
          check: own,
          columns: ["id", "title", "owner_id"],
          set: { state: "new", editor_id: caller },
        },
      },
      { role: "unset", permission: { check: {}, columns: "*", set: ["state"] } },
    ],
    update_permissions: [
      {
        role: "writer",
        permission: {
          filter: own,
          check: { state: { _neq: "sold" } },
          columns: ["title", "owner_id", "state"],
        },
      },
    ],
    delete_permissions: [{ role: "writer", permission: { filter: { _not: { shares: {} }, ...own } } }],
  },
  {
    table: { name: "shares", schema: "public" },
    object_relationships: [relation("user", "user_id")],
    select_permissions: [everyColumn("shared", {})],
  },
  { table: { name: "blocks", schema: "public" }, object_relationships: [relation("book", "book_id")] },
  { table: { name: "users", schema: "public" } },
];

const db = await testDatabase();
await db.query(schema);

test("each role of Hasura gets the rows of its filter, and no others", async () => {
  const project = adoptedProject(db.url);
  mkdirSync(join(project.root, "metadata/databases"), { recursive: true });
  project.write("metadata/version.yaml", "version: 3");
  // JSON is YAML.
  project.write("metadata/databases/databases.yaml", [{ name: "default", kind: "postgres", tables }]);
  const { status, stderr } = await project.introspect("--hasura", "metadata", "--guest", "anonymous");
  expect(status).toBe(0);
  const closed = [...stderr.matchAll(/closed: select of (\w+) on books/g)].map(([, role]) => role);
  const unsaid = Object.entries(filters).flatMap(([role, [, seen]]) => (seen === null ? [role] : []));
  expect(closed.toSorted()).toEqual([...unsaid, "guest", "odd", "reader", "twice"].toSorted());
  expect(stderr).toMatch(/closed: insert of unset on books: its set is not a map\n/);
  expect(JSON.parse(project.read("models/manifest.json")).auth).toEqual({ registration: false });
  expect(project.generator()).toMatchObject({ status: 0 });
  const { origin } = await project.start();
  const send = async (as: Caller, request: string, body?: Json) => {
    const [method = "", path = ""] = request.split(" ");
    const headers = as === null ? {} : { authorization: `Bearer ${tokenOf(as)}` };
    const { status, envelope } = await sendRequest(origin, { method, path, headers, body });
    return { status, data: envelope.data };
  };
  const ids = async (as: Caller) => {
    const { status, data } = await send(as, "GET /books/fetch?order_by=id&limit=50");
    if (status !== 200) return status;
    const rows: readonly { id: number }[] = Object(data).items ?? data;
    return rows.map(({ id }) => id);
  };

  const seen = await Promise.all(Object.keys(filters).map(async (role) => [role, await ids({ role })]));
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(Object.entries(filters).map(([role, [, rows]]) => [role, rows ?? 403])),
  );
  // A caller whose id fits no column sees no more than one without rows.
  expect(await ids({ role: "own", sub: "none" })).toEqual([]);
  expect(await ids({ role: "not_own", sub: "none" })).toEqual([]);
  expect(await ids({ role: "shared", sub: "none" })).toEqual([]);
  expect(await ids({ role: "twice" })).toEqual([1]);
  expect(
    await Promise.all(["reader", "odd", "stranger", "admin", "public"].map((role) => ids({ role }))),
  ).toEqual(Array(5).fill(403));
  // Guests are the role anonymous, with two columns. Callers in other roles are not.
  expect(await ids(null)).toEqual([2]);
  expect((await send(null, "GET /books/fetch?select_fields=rank")).status).toBe(200);
  expect((await send(null, "GET /books/fetch?select_fields=title")).status).toBe(403);
  expect((await send({ role: "all" }, "GET /books/search?query=x")).status).toBe(403);

  const query = "{ books(orderBy: id) { id shares { user_id level } } }";
  expect((await send({ role: "shared" }, "POST /graphql", { query })).data).toEqual({
    books: [
      { id: 2, shares: [{ user_id: 1, level: 1 }] },
      { id: 3, shares: [{ user_id: 1, level: 9 }] },
    ],
  });

  const create = (data: Json) => send({ role: "writer" }, "POST /books/create", { data });
  const row = { id: 11, title: "New", owner_id: 1, state: "new", editor_id: 1 };
  expect((await create({ ...row, owner_id: 2 })).status).toBe(403);
  expect((await create({ ...row, state: "sold" })).status).toBe(403);
  expect((await create({ ...row, rank: 1 })).status).toBe(403);
  expect((await create({ ...row, editor_id: 2 })).status).toBe(403);
  expect((await create({ id: 11, title: "New", owner_id: 1 })).status).toBe(403);
  expect(await create(row)).toMatchObject({ status: 200, data: row });

  const update = (id: number, data: Json, as: Caller = { role: "writer" }) =>
    send(as, "PUT /books/update", { where: { id }, data });
  expect((await update(2, { title: "x" })).status).toBe(403);
  expect((await update(11, { rank: 3 })).status).toBe(403);
  expect((await update(11, { state: "sold" })).status).toBe(403);
  expect((await update(11, { owner_id: 2 })).status).toBe(403);
  expect((await update(11, { title: "y" }, { role: "own" })).status).toBe(403);
  expect((await update(11, { title: "y" })).status).toBe(200);

  const remove = (id: number) => send({ role: "writer" }, "DELETE /books/delete", { ids: [id] });
  expect((await remove(5)).status).toBe(403);
  expect((await remove(11)).status).toBe(200);
  expect(await db.query("SELECT id FROM books ORDER BY id")).toEqual([1, 2, 3, 4, 5].map((id) => ({ id })));
}, 300_000);
