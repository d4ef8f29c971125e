import { afterEach, expect, test, vi } from "vitest";
import { lockTables } from "#runtime/migrations/apply/lock-tables";
import { type MigrateOptions, migrate } from "#runtime/migrations/index";
import { planOnline } from "#runtime/migrations/plan/online-plan";
import type { Step } from "#vocabulary/migration-steps";
import { silent as log } from "../../support/silent-log.ts";
import { base, bookAuthor, connect, requiredIsbn, second, shelf, uniqueIsbn } from "./shelf.ts";

afterEach(() => {
  vi.useRealTimers();
});

const note = (table: string): Step => ({
  step: "add_column",
  table,
  column: { name: "note", type: "text", nullable: true },
});

test("the transaction waits for all of its tables before it begins what takes long", async () => {
  const { url, query } = await shelf();
  await query(`CREATE SEQUENCE rewrites;
    CREATE FUNCTION seen() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''rewrites''); END';
    CREATE EVENT TRIGGER seen ON table_rewrite EXECUTE FUNCTION seen()`);
  const reader = await connect(url);
  await reader.query("BEGIN; SELECT FROM authors");
  const change = second([
    { step: "set_type", table: "books", column: "author_id", type: "text" },
    note("authors"),
  ]);
  const options: MigrateOptions = {
    url,
    migrations: [base, change],
    log,
    timing: { lockTimeoutMs: 20, pauseMs: 1, attempts: 3 },
  };
  await expect(migrate(options)).rejects.toThrow(
    /^0002_second failed at step 2 of 2 \(add_column on authors\): .* lock timeout/,
  );
  expect(await query("SELECT is_called FROM rewrites")).toEqual([{ is_called: false }]);
  await reader.query("COMMIT");
  await migrate(options);
  expect(await query("SELECT last_value::int AS n, is_called FROM rewrites")).toEqual([
    { n: 1, is_called: true },
  ]);
});

test("what is left of the time is all that the next table may take", async () => {
  const { url } = await shelf();
  const client = await connect(url);
  await client.query("BEGIN; CREATE TABLE shelves ()");
  vi.useFakeTimers({ toFake: ["performance"] });
  const statements: string[] = [];
  const { locks } = planOnline(["shelves", "books", "books", "authors", "gone"].map(note));
  await lockTables(client, locks.main, 2000, async ({ sql }) => {
    statements.push(sql);
    vi.advanceTimersByTime(1500);
  });
  expect(statements).toEqual([
    "set local lock_timeout = 2000; lock table authors in access exclusive mode",
    "set local lock_timeout = 500; lock table books in access exclusive mode",
    "set local lock_timeout = 1; lock table shelves in access exclusive mode",
  ]);
  expect((await client.query("SHOW lock_timeout")).rows).toEqual([{ lock_timeout: "2s" }]);
});

/** The tables of before on which a transaction has locks that hold up writers. */
const blocked = `
  SELECT DISTINCT relation FROM pg_locks JOIN pg_class c ON c.oid = relation
  WHERE pid = pg_backend_pid() AND relkind = 'r' AND c.oid = ANY ($1) AND mode ~ '^(Share|Exclusive|AccessExclusive)'`;

/**
 * What is locked by a transaction of a plan, in a database with a foreign key from books to authors; its statements then
 * find all that they need.
 */
async function locked(phase: "ahead" | "main", steps: readonly Step[]): Promise<string[]> {
  const { url, query } = await shelf();
  await query(`ALTER TABLE books ADD CONSTRAINT books_author_id_fkey FOREIGN KEY (author_id) REFERENCES authors;
    CREATE TABLE shops (id bigint PRIMARY KEY); INSERT INTO shops VALUES (1), (2)`);
  const client = await connect(url);
  const plan = planOnline(steps);
  const before = await query("SELECT array_agg(oid::int) AS oids FROM pg_class WHERE relkind = 'r'");
  if (phase === "main") for (const { sql } of [...plan.ahead, ...plan.online]) await query(sql);
  await client.query("BEGIN");
  const tables: string[] = [];
  await lockTables(client, plan.locks[phase], 1000, async ({ sql }) => {
    tables.push(sql.replace(/^.*lock table (\w+) in (.*) mode$/, "$1 $2"));
    await client.query(sql);
  });
  const held = async () => (await client.query(blocked, [before[0]?.["oids"]])).rows;
  const taken = await held();
  for (const { sql } of plan[phase]) await client.query(sql);
  expect(taken).toEqual(expect.arrayContaining(await held()));
  await client.query("ROLLBACK");
  return tables;
}

const toShops: Step = {
  ...bookAuthor,
  foreignKey: { ...bookAuthor.foreignKey, name: "to_shops", references: { table: "shops", column: "id" } },
};

// biome-ignore format: one case a line
test.each<[string, "ahead" | "main", Step[], string[]]>([
  ["a foreign key that is prepared", "ahead", [toShops], ["books share row exclusive", "shops share row exclusive"]],
  ["a foreign key that is prepared", "main", [toShops], ["books access exclusive"]],
  ["an index that is prepared", "main", [uniqueIsbn], []],
  ["a required column", "ahead", [requiredIsbn], ["books access exclusive"]],
  ["a foreign key that goes", "main", [{ step: "drop_foreign_key", table: "books", name: "books_author_id_fkey" }],
    ["authors access exclusive", "books access exclusive"]],
  ["a column that goes with its foreign key, by its former name", "main",
    [{ step: "rename_column", table: "books", column: "author_id", to: "writer_id" }, { step: "drop_column", table: "books", column: "writer_id" }],
    ["authors access exclusive", "books access exclusive"]],
  ["a column without one", "main", [{ step: "drop_column", table: "books", column: "isbn" }], ["books access exclusive"]],
  ["a column that another table refers to", "main", [{ step: "set_type", table: "authors", column: "id", type: "integer" }],
    ["authors access exclusive", "books access exclusive"]],
  ["ids of another type, and what refers to them", "main",
    [{ step: "drop_foreign_key", table: "books", name: "books_author_id_fkey" },
      { step: "set_id_type", table: "authors", type: "uuid", references: [{ table: "books", column: "author_id", nullable: true }] }],
    ["authors access exclusive", "books access exclusive"]],
  ["a table that goes", "main", [{ step: "drop_table", table: "books" }], ["authors access exclusive", "books access exclusive"]],
  ["a table under its new name, and one that is new", "main",
    [{ step: "rename_table", table: "books", to: "works" }, note("works"), { step: "create_table", table: "books", columns: [] }, note("books")],
    ["books access exclusive"]],
])("is locked at once: %s, %s", async (_, phase, steps, tables) => {
  expect(await locked(phase, steps)).toEqual(tables);
});
