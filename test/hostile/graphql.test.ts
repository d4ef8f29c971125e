import { beforeEach, describe, expect, test } from "vitest";
import { dataOf, sendGraphql, type Variables } from "../support/graphql.ts";
import { library, seven, tree } from "../support/graphql-library.ts";
import type { Reply } from "../support/request.ts";
import { expectEnvelope, outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";

const service = await testService();
// Of connections that are yet to be opened.
await service.query(
  "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = %L', current_database(), '50ms'); END $$",
);

const sales = [
  { id: 1, amount: 1, cost: 77, region: "north", user: 7 },
  { id: 2, amount: 2, cost: 88, region: "north", user: 8 },
];
const rows = { ...library, ...tree, sales };

beforeEach(async () => {
  await service.store(rows);
});

async function ask(query: string, as: Caller = null, variables?: Variables): Promise<Reply> {
  const reply = await sendGraphql(service, query, as, variables);
  expectEnvelope(reply);
  expect(reply.status, `${reply.text} for ${query}`).toBeLessThan(500);
  return reply;
}

const payloads = [
  "'; drop table folders; --",
  '"; drop table folders; --',
  "' or '1'='1",
  "1 or 1=1",
  '") from folders; delete from folders; --',
  'id" desc, (select combination from vaults limit 1) --',
  "(select combination from vaults limit 1)",
  "$1",
  "$$; select pg_sleep(9); $$",
  "??",
  "\\'; drop table folders; --",
  "title::text",
  "t0.id",
  "\u2019 or 1=1 --",
  "a\u0000b",
  "\ud800",
  "{1,2}",
  "x".repeat(5000),
  "__proto__",
  "constructor",
];

describe("SQL in every place that takes text", () => {
  /** The status; messages may hold what was sent, and nothing else of the kind. */
  async function told(query: string, variables?: Variables): Promise<number> {
    const { status, text } = await sendGraphql(service, query, "admin", variables);
    expect(status, `${text} for ${query}`).toBeLessThan(500);
    expect(text).not.toMatch(/"123"|syntax error|relation|violates/);
    return status;
  }

  test.each(payloads)("%s", async (payload) => {
    const text = JSON.stringify(payload);
    const queries = [
      `{ folders(name: ${text}) { id } }`,
      `{ folders(name: { like: ${text} }) { id } }`,
      `{ folders(name: { in: [${text}, "root"] }) { name } }`,
      `{ folders(search: ${text}) { id } }`,
      `{ folders(orderBy: ${text}) { id } }`,
      `{ folders(id: ${text}) { id } }`,
      `{ folders(limit: ${text}) { id } }`,
      `{ folders { children(name: ${text}, orderBy: ${text}) { id } } }`,
      `{ folders_aggregate(groupBy: ${text}) { count } }`,
      `{ folders_aggregate(groupBy: [name, ${text}], orderBy: ${text}) { count } }`,
      `{ folders_aggregate(orderBy: "-sum_${payload.replaceAll(/[^\w ]/g, "")}") { count } }`,
      `{ books(printed_at: ${text}) { id } }`,
      `{ books(code: { nin: [${text}] }) { id } }`,
      `mutation { updateFolders(where: { name: ${text} }, input: { size: 1 }) { id } }`,
      `mutation { destroyFolders(ids: [${text}]) { id } }`,
    ];
    for (const query of queries) await told(query);
    const bound: readonly (readonly [kind: string, use: string])[] = [
      ...["name: $v", "search: $v", "orderBy: $v", "id: $v", "name: { in: [$v] }"].map(
        (use) => ["String", use] as const,
      ),
      ["StringFilter", "name: $v"],
      ["FoldersOrderBy", "orderBy: $v"],
    ];
    for (const [kind, use] of bound)
      await told(`query ($v: ${kind}) { folders(${use}) { id } }`, { v: payload });
    await told("query ($v: [FoldersGroupBy!]) { folders_aggregate(groupBy: $v) { count } }", { v: payload });
    for (const key of [payload, `name${payload}`]) {
      await told("query ($v: StringFilter) { folders(name: $v) { id } }", { v: { [key]: "x" } });
      expect(
        await told("mutation ($v: FoldersWhere) { destroyFolders(where: $v) { id } }", { v: { [key]: "x" } }),
      ).toBe(400);
      const input = { name: "n", [key]: 1 };
      expect(
        await told("mutation ($v: FoldersCreate!) { createFolders(input: $v) { id } }", { v: input }),
      ).toBe(400);
    }
    const [left] = await service.query(
      "SELECT count(*)::int AS folders, (SELECT count(*)::int FROM vaults) AS vaults FROM folders",
    );
    expect(left).toEqual({ folders: 7, vaults: 2 });
  });

  test("a text that is stored is stored as it is", async () => {
    for (const payload of payloads.filter(
      (text) => text.length < 200 && text.isWellFormed() && !text.includes("\u0000"),
    )) {
      const data = await dataOf(
        service,
        "mutation ($i: FoldersCreate!) { createFolders(input: $i) { name } }",
        "admin",
        { i: { name: payload } },
      );
      expect(data).toEqual({ createFolders: { name: payload } });
    }
  });
});

describe("names", () => {
  const long = (length: number): string => "a".repeat(length);

  test("a key as long as PostgreSQL takes, and no longer", async () => {
    const fits = `{ ${long(63)}: folders(id: 1) { ${long(63)}: name } }`;
    expect(await dataOf(service, fits)).toEqual({ [long(63)]: [{ [long(63)]: "root" }] });
    for (const query of [
      `{ folders(id: 1) { ${long(64)}: name } }`,
      `{ folders(id: 1) { ${long(63)}b: id ${long(63)}c: name } }`,
      `{ folders(id: 1) { ${long(3000)}: name } }`,
      `{ folders(id: 1) { ${long(64)}: children { id } } }`,
    ])
      expect(outcome(await ask(query))).toMatch("400 VALIDATION_ERROR");
  });

  test("a root key is never a name of the database", async () => {
    expect(await dataOf(service, `{ ${long(200)}: folders(id: 1) { id } }`)).toEqual({
      [long(200)]: [{ id: 1 }],
    });
  });

  test("keys that differ in case alone are two", async () => {
    expect(await dataOf(service, "{ folders(id: 1) { a: id A: name } A: folders(id: 9) { id } }")).toEqual({
      folders: [{ a: 1, A: "root" }],
      A: [{ id: 9 }],
    });
  });

  test("keys that statements use themselves", async () => {
    for (const key of [
      "t0",
      "t1",
      "j1",
      "j",
      "r",
      "row",
      "select",
      "order",
      "id",
      "folders",
      "json_agg",
      "text",
      "value",
      "ctid",
      "oid",
      "xmin",
      "tableoid",
    ]) {
      const query = `{ ${key}: folders(id: 1) { ${key}: name x: children(limit: 1) { ${key}: id } ${key}_: parent { id } } }`;
      expect(await dataOf(service, query)).toEqual({
        [key]: [{ [key]: "root", x: [{ [key]: 2 }], [`${key}_`]: null }],
      });
      expect(await dataOf(service, `{ folders(id: 2) { ${key}: parent { ${key}: name } } }`)).toEqual({
        folders: [{ [key]: { [key]: "root" } }],
      });
    }
  });

  test("columns of the system are no fields", async () => {
    for (const name of ["ctid", "xmin", "tableoid", "oid", "t0", "j1", "search_path"])
      for (const query of [
        `{ folders { ${name} } }`,
        `{ folders(${name}: 1) { id } }`,
        `{ folders(orderBy: "${name}") { id } }`,
        `{ folders_aggregate(groupBy: ${name}) { count } }`,
        `{ folders_aggregate { max { ${name} } } }`,
      ])
        expect(outcome(await ask(query)), query).toMatch("400 VALIDATION_ERROR");
  });

  test("names of Object.prototype are no names of ours", async () => {
    for (const name of [
      "__proto__",
      "constructor",
      "toString",
      "hasOwnProperty",
      "valueOf",
      "__defineGetter__",
    ])
      for (const query of [
        `{ folders { ${name} } }`,
        `{ folders(${name}: 1) { id } }`,
        `{ folders(size: { ${name}: 1 }) { id } }`,
        `{ folders(orderBy: ${name}) { id } }`,
        `{ folders { ${name} { id } } }`,
        `{ folders_aggregate { ${name} { size } } }`,
        `{ folders_aggregate { max { ${name} } } }`,
        `{ folders_aggregate { max_${name} } }`,
        `{ folders_aggregate(groupBy: [${name}]) { count } }`,
        `mutation { updateFolders(where: { ${name}: 1 }, input: { size: 1 }) { id } }`,
        `mutation { createFolders(input: { name: "x", ${name}: 1 }) { id } }`,
        `{ folders { ...${name} } }`,
      ])
        expect(outcome(await ask(query, "admin")), query).toMatch("400 VALIDATION_ERROR");
    const polluted =
      '{"query":"query ($v: IntFilter) { folders(size: $v) { id } }","variables":{"v":{"__proto__":{"eq":5}}}}';
    const reply = await service.send({
      method: "POST",
      path: "/graphql",
      headers: { "content-type": "application/json" },
      body: polluted,
    });
    expect(outcome(reply)).toMatch("400 VALIDATION_ERROR");
    expect(Object.hasOwn(Object.prototype, "eq")).toBe(false);
    const named =
      '{"query":"query ($__proto__: Int) { folders(size: $__proto__) { id } }","variables":{"__proto__":5}}';
    const own = await service.send({
      method: "POST",
      path: "/graphql",
      headers: { "content-type": "application/json" },
      body: named,
    });
    expect(own.envelope.data).toEqual({ folders: [{ id: 1 }] });
  });
});

describe("what a role may not read cannot be found out", () => {
  /** Every place in which a field of a joined or counted model could be asked about. */
  const places = (root: string, join: string, field: string): string[] => [
    `{ ${root} { ${join} { ${field} } } }`,
    `{ ${root} { ${join} { x: ${field} } } }`,
    `{ ${root} { ${join}(${field}: { is_null: false }) { id } } }`,
    `{ ${root} { ${join}(${field}: null) { id } } }`,
    `{ ${root} { ${join}(${field}: 1, nothing: 1) { id } } }`,
    `{ ${root} { ${join}(orderBy: "${field}") { id } } }`,
    `{ ${root} { ${join}(orderBy: "-${field}") { id } } }`,
    `{ ${root} { ${join}(orderBy: ${field}__desc) { id } } }`,
    `{ ${root} { ... { ...F } } } fragment F on ${root} { ${join} { ${field} } }`,
  ];

  test.each([
    ...places("authors", "books", "note"),
    ...places("books", "chapters", "book { note }").slice(0, 2),
    ...places("chapters", "book", "note").slice(0, 2),
    ...places("books", "author", "salary").slice(0, 2),
    ...places("books", "vault", "combination").slice(0, 2),
    ...places("books", "reader", "points").slice(0, 2),
    "{ books { vault { items(note: null) { id } } } }",
    '{ books { vault { items(orderBy: "-note") { id } } } }',
    "{ books { author { books { author { salary } } } } }",
  ])("%s", async (query) => {
    const reply = await ask(query, seven);
    expect(outcome(reply), reply.text).toMatch("403 PERMISSION_DENIED");
    expect(reply.text).not.toMatch(/hidden gem|"10"|"123"/);
  });

  test.each([
    ["query ($f: IntFilter) { sales_aggregate(cost: $f) { count } }", { f: { gt: 80 } }],
    ["query ($g: [SalesGroupBy!]) { sales_aggregate(groupBy: $g) { count } }", { g: ["cost"] }],
    ["query ($g: String) { sales_aggregate(groupBy: [region, $g]) { count } }", { g: "cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "-max_cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "avg_cost" }],
    ["query ($o: String) { sales_aggregate(groupBy: region, orderBy: $o) { region } }", { o: "cost" }],
    ["{ sales_aggregate { min_cost } }", {}],
    ["{ sales_aggregate { ...F } } fragment F on sales_aggregate { sum { cost } }", {}],
    ["query ($o: String) { books(orderBy: $o) { id } }", { o: "note" }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", { f: { like: "hidden" } }],
    ["query ($w: BooksWhere) { a: __typename books(note: $w) { id } }", { w: { like: "h" } }],
    ["mutation ($w: BooksWhere!) { deleteBooks(where: $w) { id } }", { w: { note: { like: "hidden" } } }],
    [
      "mutation ($w: BooksWhere!) { updateBooks(where: $w, input: { pages: 1 }) { id } }",
      { w: { id: 1, note: null } },
    ],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { id note } }", {}],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { id author { salary } } }", {}],
    ["mutation { updateBooks(where: { id: 1 }, input: { pages: 1 }) { vault { combination } } }", {}],
    ["mutation { deleteBooks(ids: [1]) { note } }", {}],
    ["mutation { deleteBooks(ids: [1]) { author { books(note: null) { id } } } }", {}],
  ] as const)("%s %j", async (query, variables) => {
    expect(outcome(await ask(query, seven, variables))).toMatch("403 PERMISSION_DENIED");
    const [book] = await service.query("SELECT pages, deleted_at FROM books WHERE id = 1");
    expect(book).toEqual({ pages: 100, deleted_at: null });
  });

  test.each<[query: string, harmless: Variables, harmful: Variables]>([
    ["query ($f: IntFilter) { sales_aggregate(cost: $f) { count } }", {}, { f: { gt: 80 } }],
    ["query ($f: Int) { sales_aggregate(cost: { gt: $f }) { count } }", {}, { f: 80 }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", {}, { f: { like: "h" } }],
    ["query ($f: StringFilter) { books(note: $f) { id } }", {}, { f: null }],
    ["query ($f: StringFilter) { authors { books(note: $f) { id } } }", {}, { f: "hidden gem" }],
    ["query ($o: String) { books(orderBy: $o) { id } }", {}, { o: "note" }],
    ["query ($o: String) { books(orderBy: $o) { id } }", { o: "title" }, { o: "-note" }],
    ["query ($o: BooksOrderBy) { authors { books(orderBy: $o) { id } } }", { o: "id" }, { o: "note__desc" }],
    [
      "query ($g: [SalesGroupBy!]) { sales_aggregate(groupBy: $g) { count } }",
      { g: ["region"] },
      { g: ["cost"] },
    ],
    ["query ($g: [SalesGroupBy!]) { sales_aggregate(groupBy: $g) { count } }", {}, { g: ["region", "cost"] }],
    ["query ($o: String) { sales_aggregate(orderBy: $o) { count } }", { o: "count" }, { o: "min_cost" }],
    ["query ($i: Boolean!) { books { id note @include(if: $i) } }", { i: false }, { i: true }],
    ["query ($i: Boolean!) { books { author { id salary @skip(if: $i) } } }", { i: true }, { i: false }],
    [
      "query ($i: Boolean!) { id: __typename tasks: docs @skip(if: $i) { id } sales @include(if: $i) { id } }",
      { i: false },
      { i: true },
    ],
    ["query ($s: String) { sales(search: $s) { id } }", { s: "north" }, {}],
    ["query ($s: String) { chapters(search: $s) { id } }", {}, { s: "A" }],
    [
      "mutation ($w: BooksWhere!) { updateBooks(where: $w, input: { pages: 100 }) { id } }",
      { w: { id: 1 } },
      { w: { id: 1, note: null } },
    ],
    [
      "mutation ($i: AuthorsUpdate!) { updateAuthors(where: { id: 1 }, input: $i) { id } }",
      { i: { name: "Ann" } },
      { i: { user: 8 } },
    ],
  ])("one text, harmless values before and after: %s", async (query, harmless, harmful) => {
    expect(outcome(await ask(query, seven, harmless))).toBe("200");
    expect(outcome(await ask(query, seven, harmful))).toMatch("403 PERMISSION_DENIED");
    expect(outcome(await ask(query, seven, harmless))).toBe("200");
    expect(outcome(await ask(query, seven, harmful))).toMatch("403 PERMISSION_DENIED");
  });

  test("deleted and unreachable rows come by no way of the joins", async () => {
    const seen = await ask(
      `{ books { author { books(deleted_at: { is_null: false }) { title } } publisher_id { name } vault { name items { title } } }
         authors { books(deleted_at: { neq: null }, draft: true) { title } edited { title author { name } } profile { bio } } }`,
      { role: "user", sub: "99" },
    );
    expect(outcome(seen)).toBe("200");
    expect(seen.text).not.toMatch(/Gone|Delta|Cleo|Bob|gone|south|Epsilon/);
  });

  test("an aggregate counts what a search shows, whatever is asked", async () => {
    const counts = await dataOf(
      service,
      "{ all: sales_aggregate { count } groups: sales_aggregate(groupBy: user) { count } theirs: sales_aggregate(user: 8) { count } max: sales_aggregate { max { amount } } }",
      seven,
    );
    expect(counts).toEqual({
      all: [{ count: 1 }],
      groups: [{ user: 7, count: 1 }],
      theirs: [{ count: 0 }],
      max: [{ max_amount: 1 }],
    });
  });
});

describe("one text, many callers", () => {
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
    [
      "query ($w: IntFilter, $o: String) { books(author_id: $w, orderBy: $o) { id } }",
      [{ w: 1, o: "-id" }, { w: { in: [1, 2] }, o: "pages" }, { w: null }, { o: "note" }],
    ],
    ["{ books(limit: 2) { ...F } } fragment F on books { reader { handle points } }", [{}]],
    ["query ($n: StringFilter) { books(note: $n) { id } }", [{}, { n: "x" }, { n: null }]],
    ["query ($s: String) { books(search: $s) { id } }", [{}, { s: "gem" }]],
    [
      "query ($g: [SalesGroupBy!], $o: String) { sales_aggregate(groupBy: $g, orderBy: $o) { count } }",
      [{ g: ["region"] }, { g: ["cost"] }, { g: ["region"], o: "-sum_cost" }, {}],
    ],
    [
      "query ($n: StringFilter, $o: String) { authors { books(note: $n, orderBy: $o) { id } } }",
      [{}, { n: { like: "h" } }, { o: "note" }],
    ],
  ];
  const callers: readonly Caller[] = [null, seven, { role: "user", sub: "8" }, "staff", "admin", "__proto__"];
  const asked = texts.flatMap(([query, list]) => list.map((variables) => ({ query, variables })));

  test("each gets an answer of its own, in any order and at once", async () => {
    const wanted = callers.flatMap((as, who) =>
      asked.map((text, what) => ({ ...text, as, key: `${who} ${what}` })),
    );
    // A service that has seen nothing else answers each caller alone.
    const alone = new Map<string, string>();
    for (const [who] of callers.entries()) {
      const own = await testService();
      await own.store(rows);
      for (const { query, variables, as, key } of wanted.filter((one) => one.key.startsWith(`${who} `)))
        alone.set(key, textOf(await sendGraphql(own, query, as, variables)));
    }
    const shuffled = wanted.toSorted((a, b) => order(a.key) - order(b.key));
    for (const { query, variables, as, key } of shuffled)
      expect(textOf(await sendGraphql(service, query, as, variables)), `${key} ${query}`).toBe(
        alone.get(key),
      );
    const together = await Promise.all(
      shuffled.map(
        async ({ query, variables, as, key }) =>
          [key, textOf(await sendGraphql(service, query, as, variables))] as const,
      ),
    );
    for (const [key, text] of together) expect(text, key).toBe(alone.get(key));
    // The test is none where all get the same.
    expect(new Set(alone.values()).size).toBeGreaterThan(20);
  });

  test("so does each operation of one text", async () => {
    const query =
      "query A($n: Int = 1) { folders(limit: $n) { id } } query B($n: Int = 2) { folders(limit: $n) { id } } query C { folders_aggregate { count } }";
    const send = async (operationName: string) => {
      const { envelope } = await service.send({
        method: "POST",
        path: "/graphql",
        body: { query, operationName },
      });
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

  test("nobody sees half of a mutation", async () => {
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
  test.each([
    "mutation { destroyFolders(where: {}) { id } }",
    "mutation { destroyFolders { id } }",
    "mutation { destroyFolders(where: null) { id } }",
    "mutation { destroyFolders(ids: null) { id } }",
    "mutation { destroyFolders(ids: []) { id } }",
    "mutation { destroyFolders(where: { id: {} }) { id } }",
    "mutation { destroyFolders(where: { id: { nin: [] } }) { id } }",
    "mutation { destroyFolders(where: { deleted_at: null }) { id } }",
    "mutation { destroyFolders(where: { deleted_at: { is_null: true } }) { id } }",
    "mutation { updateFolders(where: {}, input: { size: 1 }) { id } }",
    "mutation { updateFolders(input: { size: 1 }) { id } }",
    "mutation { updateFolders(where: { name: {} }, input: { size: 1 }) { id } }",
    "mutation ($w: FoldersWhere) { destroyFolders(where: $w) { id } }",
    "mutation ($w: FoldersWhere = {}) { destroyFolders(where: $w) { id } }",
    "mutation ($v: Int) { destroyFolders(where: { id: $v }) { id } }",
    "mutation ($v: IntFilter) { updateFolders(where: { size: $v }, input: { size: 1 }) { id } }",
    "mutation ($v: Int) { destroyFolders(where: { size: { gt: $v } }) { id } }",
    "mutation ($v: [Int]) { destroyFolders(where: { size: { nin: $v } }) { id } }",
    "mutation { destroyFolders(where: { id: 1 }, ids: [1]) { id } }",
    "mutation { destroyFolders(id: 1) { id } }",
    "mutation { destroyFolders(where: [{ id: 1 }]) { id } }",
    'mutation { destroyFolders(where: "id = 1") { id } }',
    "mutation { destroyFolders(query: { id: 1 }) { id } }",
    'mutation { destroyFolders(where: { name__like: "r" }) { id } }',
    "mutation { destroyFolders(where: { OR: [{ id: 1 }] }) { id } }",
    'mutation { createFolders(input: { name: "x", id: 5 }) { id } }',
    'mutation { createFolders(input: { name: "x", created_at: "2020-01-01" }) { id } }',
    'mutation { createFolders(input: { name: "x", parent: { name: "y" } }) { id } }',
    'mutation { createFolders(input: { name: "x", children: [] }) { id } }',
    'mutation { createFolders(input: [{ name: "x" }, { name: "y" }]) { id } }',
    'mutation { createFolders(data: { name: "x" }) { id } }',
    'mutation { createFolders(input: { name: "x" }, extra: 1) { id } }',
    "mutation { createFolders { id } }",
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
