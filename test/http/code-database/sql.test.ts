import { expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import { inMutation, inRead, sendWith, unknown } from "../../support/code-in-hooks.ts";
import { testService } from "../../support/service.ts";

const service = await testService();
type Sql = HookContext["sql"];

// biome-ignore format: one case a line
test.each<readonly [called: string, ask: (sql: Sql) => Promise<unknown>, row: object]>([
  ["numbers", (sql) => sql`select ${5}::int as a, 1.5::float8 as b, 2::int8 as c`, { a: 5, b: 1.5, c: 2 }],
  ["an id that no double holds", (sql) => sql`select 9007199254740993 as a, array[1, 9007199254740993] as b`,
    { a: "9007199254740993", b: [1, "9007199254740993"] }],
  ["decimals", (sql) => sql`select 1.50 as a, ${["1.20"]}::numeric[] as b`, { a: "1.50", b: ["1.20"] }],
  ["booleans", (sql) => sql`select ${true}::bool as a, array[false] as b`, { a: true, b: [false] }],
  [
    "times",
    (
      sql,
    ) => sql`select timestamptz '2026-01-02 03:04:05.678901+00' as a, timestamptz '2026-01-02 03:04:05+00' as b,
      date '2026-01-02' as c, time '12:30' as d, timestamp '2026-01-02 03:04:05.5' as e`,
    { a: "2026-01-02T03:04:05.678Z", b: "2026-01-02T03:04:05.000Z", c: "2026-01-02", d: "12:30:00.000", e: "2026-01-02T03:04:05.500" },
  ],
  ["JSON", (sql) => sql`select ${{ a: [1] }}::jsonb as a, 'null'::jsonb as b, null as c`, { a: { a: [1] }, b: null, c: null }],
  ["JSON with whole numbers that no double holds",
    (sql) => sql`select ${{ a: 9007199254740993n }}::jsonb as a, array['[-9007199254740993, 1e20]'::json] as b`,
    { a: { a: 9007199254740993n }, b: [[-9007199254740993n, 1e20]] }],
  ["dates", (sql) => sql`select ${new Date(0)}::timestamptz as a`, { a: "1970-01-01T00:00:00.000Z" }],
  ["bytes", (sql) => sql`select ${new Uint8Array([1, 255])}::bytea as a`, { a: Buffer.from([1, 255]) }],
  ["bytes in a list", (sql) => sql`select (${[new Uint8Array([1, 255])]}::bytea[])[1] as a`, { a: Buffer.from([1, 255]) }],
  ["lists", (sql) => sql`select 2 = any(${[1, 2]}) as a, ${[]}::text[] as b, array['x', null] as c`, { a: true, b: [], c: ["x", null] }],
  ["uuids", (sql) => sql`select ${"0f0e0d0c-0000-4000-8000-000000000000"}::uuid as a`, { a: "0f0e0d0c-0000-4000-8000-000000000000" }],
  ["a value that would be SQL", (sql) => sql`select ${"'; drop table tasks; --"} as a`, { a: "'; drop table tasks; --" }],
  ["names that objects have", (sql) => sql`select 1 as "__proto__", 2 as "constructor"`, Object.fromEntries([["__proto__", 1], ["constructor", 2]])],
])("rows have the values of the API: %s", async (_called, ask, row) => {
  for (const within of [inRead, inMutation])
    expect((await within(service, ({ sql }) => ask(sql))).value).toEqual([row]);
});

test("a statement without rows gives none", async () => {
  await service.store({ tasks: [{ id: 1, title: "a" }] });
  const { value } = await inMutation(service, async ({ sql }) => [
    await sql`update tasks set title = ${"b"}`,
    await sql`update tasks set title = ${"c"} returning title`,
    await sql`select 1 where false`,
  ]);
  expect(value).toEqual([[], [{ title: "c" }], []]);
});

// biome-ignore format: one case a line
test.each<readonly [called: string, ask: (sql: Sql) => Promise<unknown>, message: RegExp]>([
  ["a call with a text", (sql) => unknown<(text: string) => Promise<unknown>>(sql)("select 1"), /template tag/],
  ["a call with a list", (sql) => unknown<(text: string[]) => Promise<unknown>>(sql)(["select 1"]), /template tag/],
  ["undefined", (sql) => sql`select ${undefined}`, /value 1 of context.sql is undefined/],
  ["undefined in a list", (sql) => sql`select ${1}, ${[undefined]}`, /value 2/],
  ["a function", (sql) => sql`select ${() => 1}`, /function/],
  ["a promise", (sql) => sql`select ${Promise.resolve(1)}`, /promise: await it/],
  ["the end of the transaction", (sql) => sql` commit`, /cannot begin or end a transaction/],
  [
    "the end behind comments",
    (sql) => sql`-- so
 /* or ** so */ COMMIT`,
    /cannot begin or end a transaction/,
  ],
  ...["-- so\rcommit", "/* so */\r-- so\rCOMMIT"].map((text): [string, (sql: Sql) => Promise<unknown>, RegExp] => [
    JSON.stringify(text),
    (sql) => sql(Object.assign([text], { raw: [text] })),
    /cannot begin or end a transaction/,
  ]),
  ["a comment in a comment", (sql) => sql`/* /* */ select 1 */ commit`, /cannot begin with a comment that/],
  ...[
    "set search_path = public", "SET SESSION work_mem = '8MB'", "set role postgres", "reset all", "discard all", "listen shelf", "unlisten *",
    "deallocate all", "prepare one as select 1", " /* so */ ; set time zone 'UTC'", "create temp table orders (id int)", "create or replace temp view orders as select 1",
    "create table pg_temp.orders (id int)", "explain analyze create temp table orders as select 1", "select 'a' as x into temp orders",
    "CREATE LOCAL TEMPORARY VIEW shelf AS SELECT 1", "declare rows cursor with hold for select 1",
    "select 1 as id into temp orders", "with a as (select 1) select * INTO TEMPORARY table orders from a",
  ].map((text): [string, (sql: Sql) => Promise<unknown>, RegExp] => [
    text,
    (sql) => sql(Object.assign([text], { raw: [text] })),
    /cannot change its connection.*SET LOCAL/,
  ]),
  ["two statements", (sql) => sql`select 1; select 2`, /multiple commands/],
])("%s throws", async (_called, ask, message) => {
  for (const within of [inRead, inMutation])
    await expect(within(service, ({ sql }) => ask(sql))).rejects.toThrow(message);
});

test("what lasts as long as the transaction may be set", async () => {
  const { value } = await inMutation(service, async ({ sql }) => {
    await sql`set local lock_timeout = '7s'`;
    await sql`set constraints all immediate`;
    await sql`create temp table shelf (id int) on commit drop`;
    return sql`select set_config('work_mem', '8MB', true) as memory, current_setting('lock_timeout') as lock`;
  });
  expect(value).toEqual([{ memory: "8MB", lock: "7s" }]);
});

test("what the database objects to is 500", async () => {
  const divide = async (_: unknown, { sql }: HookContext) => {
    await sql`select 1 / ${0}::int`;
  };
  const sent = { method: "GET", path: "/hooked/fetch" };
  const { envelope } = await sendWith(service, { before_fetch: divide }, "admin", sent);
  expect(envelope).toMatchObject({ statusCode: 500, error: "INTERNAL_ERROR" });
});
