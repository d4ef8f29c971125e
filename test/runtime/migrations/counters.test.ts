import { expect, test } from "vitest";
import { markApplied, migrate, migrateDown, verifyDatabase } from "#runtime/migrations/index";
import type { Column, Migration, Step } from "#vocabulary/migration-steps";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { silent as log } from "../../support/silent-log.ts";
import { untilWaiting } from "./migrating-process.ts";
import { connect } from "./shelf.ts";

/** A table whose ids a sequence makes becomes one with an identity, and back. */
const table = "odd $do$ 'name'";
const inSql = `"${table}"`;
const columns: Column[] = [
  { name: "id", type: "bigint", nullable: false, default: "sequence" },
  { name: "note", type: "text", nullable: true },
];
const base: Migration = {
  name: "0001_base",
  parent: null,
  up: [{ step: "create_table", table, columns }],
  down: [],
};
const counter = (kind: "identity" | "sequence"): Step => ({
  step: "set_default",
  table,
  column: "id",
  type: "bigint",
  default: kind,
});
const identity: Migration = {
  name: "0002_identity",
  parent: "0001_base",
  up: [counter("identity")],
  down: [counter("sequence")],
};
const migrations = [base, identity];
const fill = `INSERT INTO ${inSql} (note) SELECT 'a' FROM generate_series(1, 10); DELETE FROM ${inSql} WHERE id > 3`;

async function nextId({ query }: TestDatabase): Promise<unknown> {
  const [row] = await query(`INSERT INTO ${inSql} (note) VALUES ('next') RETURNING id::int`);
  return row?.["id"];
}

test("ids are never given twice, also not those that somebody takes meanwhile", async () => {
  const database = await testDatabase([base]);
  const writer = await connect(database.url);
  const insert = `INSERT INTO ${inSql} (note) VALUES ('meanwhile')`;
  await writer.query(`BEGIN; ${insert}`);
  const run = migrate({ url: database.url, migrations, log });
  await untilWaiting(database, "locktype = 'relation'");
  for (let count = 0; count < 5; count++) await writer.query(insert);
  await writer.query("COMMIT");
  await run;
  expect(await nextId(database)).toBe(7);
});

test("ids of rows that are gone are not given again, either way", async () => {
  const database = await testDatabase([base]);
  await database.query(fill);
  await migrate({ url: database.url, migrations, log });
  expect(await nextId(database)).toBe(11);
  await database.query(`DELETE FROM ${inSql} WHERE id > 3`);
  await migrateDown({ url: database.url, migrations, log });
  expect(await nextId(database)).toBe(12);
  expect(await verifyDatabase({ url: database.url, migrations, log })).toMatchObject({ differences: [] });
});

test("a sequence that its column does not own counts, and stays", async () => {
  const database = await testDatabase();
  const { url, query } = database;
  const sequence = `"${table}_id_seq"`;
  await query(`CREATE SEQUENCE ${sequence};
    CREATE TABLE ${inSql} (id bigint PRIMARY KEY DEFAULT nextval('${sequence.replaceAll("'", "''")}'), note text); ${fill}`);
  await markApplied({ url, migrations, log, to: "0001_base" });
  await migrate({ url, migrations, log });
  expect(await nextId(database)).toBe(11);
  await query(`DELETE FROM ${inSql} WHERE id > 3`);
  await migrateDown({ url, migrations, log });
  expect(await nextId(database)).toBe(12);
  expect(await query("SELECT relname FROM pg_class WHERE relkind = 'S' AND relname LIKE 'odd%'")).toEqual([
    { relname: `${table}_id_seq` },
  ]);
  await migrate({ url, migrations, log });
  expect(await nextId(database)).toBe(13);
});

test("a sequence takes another name where its own is taken", async () => {
  const database = await testDatabase([base, identity]);
  const { url, query } = database;
  await query(`ALTER SEQUENCE "${table}_id_seq" RENAME TO aside; CREATE TABLE "${table}_id_seq" ()`);
  expect(await nextId(database)).toBe(1);
  await migrateDown({ url, migrations, log });
  expect(await nextId(database)).toBe(2);
});
