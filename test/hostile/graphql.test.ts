import bcrypt from "bcrypt";
import { describe, expect, test, vi } from "vitest";
import type { Database } from "#runtime/core/database/index";
import { dataOf, sendGraphql, type Variables } from "../support/graphql.ts";
import { seven } from "../support/graphql-library.ts";
import { type Reply, requestOf } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";
import { graphqlWorld, rows } from "./support/graphql-world.ts";

const { service, ask } = await graphqlWorld();

describe("one text, many callers", () => {
  // biome-ignore format: one case a line
  const texts: readonly (readonly [query: string, variables: readonly Variables[]])[] = [
    ["{ books { id title author_id } }", [{}]],
    ["{ books { id author { id name } chapters { number } } }", [{}]],
    ["{ books { note } }", [{}]],
    ["{ authors { id books { id draft } profile { bio } } }", [{}]],
    ['{ books(search: "a") { id } }', [{}]],
    ["{ sales { id } }", [{}]],
    ["{ sales_aggregate(groupBy: user, orderBy: user) { count sum { amount } } }", [{}]],
    ["query ($f: Boolean!) { books { id note @include(if: $f) } }", [{ f: true }, { f: false }]],
    ["query ($f: Boolean!) { books { id } sales @skip(if: $f) { id } }", [{ f: true }, { f: false }]],
    ["query ($w: IntFilter, $o: String) { books(author_id: $w, orderBy: $o) { id } }",
      [{ w: 1, o: "-id" }, { w: { in: [1, 2] }, o: "pages" }, { w: null }, { o: "note" }]],
    ["{ books(limit: 2) { ...F } } fragment F on books { reader { handle points } }", [{}]],
    ["query ($n: StringFilter) { books(note: $n) { id } }", [{}, { n: "x" }, { n: null }]],
    ["query ($s: String) { books(search: $s) { id } }", [{}, { s: "gem" }]],
    ["query ($g: [SalesOrderBy!], $o: String) { sales_aggregate(groupBy: $g, orderBy: $o) { count } }",
      [{ g: ["region"] }, { g: ["cost"] }, { g: ["region"], o: "-sum_cost" }, {}]],
    ["query ($n: StringFilter, $o: String) { authors { books(note: $n, orderBy: $o) { id } } }", [{}, { n: { like: "h" } }, { o: "note" }]],
  ];
  const callers: readonly Caller[] = [null, seven, { role: "user", sub: "8" }, "staff", "admin", "__proto__"];
  const asked = texts.flatMap(([query, list]) => list.map((variables) => ({ query, variables })));

  test("each gets an answer of its own, in any order and at once", async () => {
    const wanted = callers.flatMap((as, who) =>
      asked.map((text, what) => ({ ...text, as, key: `${who} ${what}` })),
    );
    // A new service for each caller gives the expected responses.
    const separate = new Map<string, string>();
    for (const [who] of callers.entries()) {
      const own = await testService();
      await own.store(rows);
      for (const { query, variables, as, key } of wanted.filter((one) => one.key.startsWith(`${who} `)))
        separate.set(key, textOf(await sendGraphql(own, query, as, variables)));
    }
    const shuffled = wanted.toSorted((a, b) => order(a.key) - order(b.key));
    for (const { query, variables, as, key } of shuffled)
      expect(textOf(await sendGraphql(service, query, as, variables)), `${key} ${query}`).toBe(
        separate.get(key),
      );
    const together = await Promise.all(
      shuffled.map(
        async ({ query, variables, as, key }) =>
          [key, textOf(await sendGraphql(service, query, as, variables))] as const,
      ),
    );
    for (const [key, text] of together) expect(text, key).toBe(separate.get(key));
    // The test proves nothing if all get the same.
    expect(new Set(separate.values()).size).toBeGreaterThan(20);
  });

  test("so does each operation of one text", async () => {
    const query =
      "query A($n: Int = 1) { folders(limit: $n) { id } } query B($n: Int = 2) { folders(limit: $n) { id } } query C { folders_aggregate { count } }";
    const send = async (operationName: string) => {
      const { envelope } = await service.send(requestOf("POST /graphql", { query, operationName }));
      return envelope.data;
    };
    const answers = await Promise.all(["A", "B", "C", "B", "A", "C"].map(send));
    const [a, b, c] = [
      { folders: [{ id: 1 }] },
      { folders: [{ id: 1 }, { id: 2 }] },
      { folders_aggregate: [{ count: 7 }] },
    ];
    expect(answers).toEqual([a, b, c, b, a, c]);
  });

  const textOf = ({ status, text }: Reply): string => `${status} ${text}`;
  /** A fixed, but mixed order. */
  const order = (key: string): number =>
    [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1009, 7);
});

describe("requests that meet", () => {
  const create = 'mutation { createFolders(input: { name: "same" }) { id } }';

  test("of creates with the same unique name one succeeds", async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(create, "admin")));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    expect(await service.query("SELECT count(*)::int AS n FROM folders WHERE name = 'same'")).toEqual([
      { n: 1 },
    ]);
  });

  test("of upserts all succeed, and there is one row", async () => {
    const upsert = 'mutation ($n: Int) { upsertFolders(input: { name: "same", size: $n }) { id } }';
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(upsert, "admin", { n })));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  test("mutations that lock rows in opposite orders both succeed", async () => {
    const update = (id: number, size: string) =>
      `a${id}: updateFolders(where: { id: ${id} }, input: { size: ${size} }) { id }`;
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all([
        ask(`mutation { ${update(1, "1")} ${update(9, "1")} }`, "admin"),
        ask(`mutation { ${update(9, "2")} ${update(1, "2")} }`, "admin"),
        ask(`mutation { ${update(1, "3")} ${update(9, "3")} }`, "admin"),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [{ sizes } = {}] = await service.query(
        "SELECT array_agg(DISTINCT size) AS sizes FROM folders WHERE id IN (1, 9)",
      );
      expect(sizes).toHaveLength(1);
    }
  });

  test("no reader sees half of a mutation", async () => {
    const mutation =
      'mutation { a: updateFolders(where: { id: 1 }, input: { size: 100 }) { id } b: updateFolders(where: { id: 9 }, input: { size: 100 }) { id } c: createFolders(input: { name: "root" }) { id } }';
    const [failed, ...reads] = await Promise.all([
      ask(mutation, "admin"),
      ...Array.from({ length: 10 }, () => dataOf(service, "{ folders(id: { in: [1, 9] }) { size } }")),
    ]);
    expect(outcome(failed)).toMatch("400 VALIDATION_ERROR");
    for (const read of reads) expect(read).toEqual({ folders: [{ size: 5 }, { size: null }] });
    expect(await dataOf(service, "{ folders(size: 100) { id } }")).toEqual({ folders: [] });
  });
});

describe("writes that reach too far", () => {
  // biome-ignore format: many a line
  test.each([
    "mutation { destroyFolders(where: {}) { id } }", "mutation { destroyFolders { id } }", "mutation { destroyFolders(where: null) { id } }",
    "mutation { destroyFolders(ids: null) { id } }", "mutation { destroyFolders(ids: []) { id } }",
    "mutation { destroyFolders(where: { id: {} }) { id } }", "mutation { destroyFolders(where: { id: { nin: [] } }) { id } }",
    "mutation { destroyFolders(where: { deleted_at: null }) { id } }", "mutation { destroyFolders(where: { deleted_at: { is_null: true } }) { id } }",
    "mutation { updateFolders(where: {}, input: { size: 1 }) { id } }", "mutation { updateFolders(input: { size: 1 }) { id } }",
    "mutation { updateFolders(where: { name: {} }, input: { size: 1 }) { id } }", "mutation ($w: FoldersWhere) { destroyFolders(where: $w) { id } }",
    "mutation ($w: FoldersWhere = {}) { destroyFolders(where: $w) { id } }", "mutation ($v: Int) { destroyFolders(where: { id: $v }) { id } }",
    "mutation ($v: IntFilter) { updateFolders(where: { size: $v }, input: { size: 1 }) { id } }",
    "mutation ($v: Int) { destroyFolders(where: { size: { gt: $v } }) { id } }",
    "mutation ($v: [Int]) { destroyFolders(where: { size: { nin: $v } }) { id } }", "mutation { destroyFolders(where: { id: 1 }, ids: [1]) { id } }",
    "mutation { destroyFolders(id: 1) { id } }", "mutation { destroyFolders(where: [{ id: 1 }]) { id } }",
    'mutation { destroyFolders(where: "id = 1") { id } }', "mutation { destroyFolders(query: { id: 1 }) { id } }",
    'mutation { destroyFolders(where: { name__like: "r" }) { id } }', "mutation { destroyFolders(where: { OR: [{ id: 1 }] }) { id } }",
    'mutation { createFolders(input: { name: "x", id: 5 }) { id } }',
    'mutation { createFolders(input: { name: "x", created_at: "2020-01-01" }) { id } }',
    'mutation { createFolders(input: { name: "x", parent: { name: "y" } }) { id } }',
    'mutation { createFolders(input: { name: "x", children: [] }) { id } }',
    'mutation { createFolders(input: [{ name: "x" }, { name: "y" }]) { id } }', 'mutation { createFolders(data: { name: "x" }) { id } }',
    'mutation { createFolders(input: { name: "x" }, extra: 1) { id } }', "mutation { createFolders { id } }",
  ])("%s", async (query) => {
    const reply = await ask(query, "admin");
    expect(outcome(reply), reply.text).toMatch("400 VALIDATION_ERROR");
    expect(
      await service.query(
        "SELECT count(*)::int AS n, count(*) FILTER (WHERE updated_at <> created_at)::int AS written FROM folders",
      ),
    ).toEqual([{ n: 7, written: 0 }]);
  });
});

// Rules may name guests as they name any role, and statements are remembered by role.
test("a role that no rule names does not get the statement that was made for guests", async () => {
  await service.store({
    rows: [
      { id: 1, number: 7 },
      { id: 2, number: 8, word: "everybody" },
    ],
  });
  const query = "{ rows { id } }";
  expect(await dataOf(service, query)).toEqual({ rows: [{ id: 2 }] });
  expect(await dataOf(service, query, { role: "stranger", sub: "7" })).toEqual({ rows: [{ id: 2 }] });
});

/** What happened, in order. */
const steps: string[] = [];
const watch = (database: Database): Database => ({
  ...database,
  transaction: (work) =>
    database.transaction((transaction) => {
      steps.push("transaction");
      return work(transaction);
    }),
});
const watched = await testService({}, { watch });

// A hash takes a quarter of a second: twenty of them in a transaction keep a connection from everybody else.
test.each([
  ["create", 'createPeople(input: { name: "n", secret: "s3cret" })'],
  ["update", 'updatePeople(where: { name: "old" }, input: { secret: "s3cret" })'],
])("passwords are hashed before the transaction begins: %s", async (_, mutation) => {
  await watched.store({ people: [{ id: 1, name: "old" }] });
  steps.length = 0;
  const hash = vi.spyOn(bcrypt, "hash").mockImplementation(async () => {
    steps.push("hash");
    return `hash ${steps.length}`;
  });
  await dataOf(
    watched,
    `mutation { a: ${mutation} { name } b: createPeople(input: { name: "m", secret: "x" }) { id } }`,
    "staff",
  );
  hash.mockRestore();
  expect(steps).toEqual(["hash", "hash", "transaction"]);
  const stored = await watched.query("select secret from people where secret is not null order by secret");
  expect(stored).toEqual([{ secret: "hash 1" }, { secret: "hash 2" }]);
});

test("a password in the default of a variable is hashed for each request", async () => {
  await watched.store({});
  const query =
    'mutation ($v: PeopleCreate = { name: "n", secret: "s3cret" }) { createPeople(input: $v) { name } }';
  await dataOf(watched, query, "staff");
  await dataOf(watched, query, "staff");
  const [first, second] = await watched.query("select secret from people");
  expect(first?.["secret"]).toMatch(/^\$2b\$/);
  expect(second?.["secret"]).not.toBe(first?.["secret"]);
});
