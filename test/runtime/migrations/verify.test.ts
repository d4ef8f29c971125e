import { describe, expect, test } from "vitest";
import { differenceLines, migrate, verifyDatabase } from "#runtime/migrations/index";
import type { Migration } from "#vocabulary/migration-steps";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { grow, initial } from "./sample-migrations.ts";

describe("verifyDatabase", () => {
  test("compares with what was applied, and names what is pending", async () => {
    const { url } = await testDatabase([initial]);
    expect(await verifyDatabase({ url, migrations: [initial, grow], log: silent })).toEqual({
      differences: [],
      notes: [],
      applied: 1,
      pending: ["0002_grow"],
      unfinished: [],
    });
    await migrate({ url, migrations: [initial, grow], log: silent });
    expect(await verifyDatabase({ url, migrations: [initial, grow], log: silent })).toEqual({
      differences: [],
      notes: [],
      applied: 2,
      pending: [],
      unfinished: [],
    });
  });

  test("names what was left half-way", async () => {
    const { url, query } = await testDatabase([initial]);
    await query(`CREATE TABLE kirak_migration_progress (name text PRIMARY KEY, undo jsonb NOT NULL);
      INSERT INTO kirak_migration_progress VALUES ('0002_grow', '[]')`);
    expect(await verifyDatabase({ url, migrations: [initial, grow], log: silent })).toMatchObject({
      notes: [],
      unfinished: ["0002_grow"],
    });
  });

  test("leaves nothing behind", async () => {
    const { url, query } = await testDatabase([initial]);
    const all = "SELECT count(*) AS relations, (SELECT count(*) FROM pg_namespace) AS schemas FROM pg_class";
    const before = await query(all);
    await verifyDatabase({ url, migrations: [initial], log: silent });
    expect(await query(all)).toEqual(before);
  });

  test("refuses a database without migrations, and one that does not fit the code", async () => {
    const { url } = await testDatabase();
    const options = { url, migrations: [initial], log: silent };
    await expect(verifyDatabase(options)).rejects.toThrow(/^no migration was applied to this database yet/);
    await migrate({ url, migrations: [initial, grow], log: silent });
    await expect(verifyDatabase(options)).rejects.toThrow(/the database is newer than this code: 0002_grow/);
  });

  test("finds the tables in the schema of the connection, whatever it is called", async () => {
    const { url, query } = await testDatabase();
    await query(`CREATE SCHEMA "My ""Own"" schema's"`);
    const own = new URL(url);
    own.searchParams.set("options", `-c search_path="My\\ ""Own""\\ schema's"`);
    const options = { url: own.href, migrations: [initial], log: silent };
    await migrate(options);
    expect(await query("SELECT to_regclass('public.books') AS found")).toEqual([{ found: null }]);
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await query(`ALTER TABLE "My ""Own"" schema's".books ALTER price TYPE real`);
    expect(differenceLines((await verifyDatabase(options)).differences)).toEqual([
      "books.price  expected double precision, is real",
    ]);
  });

  test("names of tables may hold anything", async () => {
    const hostile = `"; DROP -- it's \u001b[2J\n`;
    const migration: Migration = {
      name: "0001_odd",
      parent: null,
      up: [
        {
          step: "create_table",
          table: hostile,
          columns: [
            { name: "id", type: "bigint", nullable: false, default: "identity" },
            { name: hostile, type: "text", nullable: true },
          ],
        },
        {
          step: "add_index",
          table: hostile,
          index: { name: `${hostile} USING (`, columns: [hostile], unique: true, live: false },
        },
        { step: "add_check", table: hostile, check: { name: hostile, column: hostile, oneOf: [hostile] } },
      ],
      down: [],
    };
    const { url, query } = await testDatabase([migration]);
    const verify = () => verifyDatabase({ url, migrations: [migration], log: silent });
    expect(await verify()).toMatchObject({ differences: [], notes: [] });
    const quoted = `"${hostile.replaceAll('"', '""')}"`;
    await query(`ALTER TABLE ${quoted} ALTER ${quoted} SET DEFAULT 'x'`);
    expect(differenceLines((await verify()).notes)).toEqual([
      String.raw`"""; DROP -- it's \u001b[2J\n"."""; DROP -- it's \u001b[2J\n"  expected no default, is default 'x'::text`,
    ]);
    await query(`ALTER TABLE ${quoted} ALTER ${quoted} DROP DEFAULT`);
    expect(await verify()).toMatchObject({ differences: [], notes: [] });
  });

  test("needs few rights, says which one is missing, and when rows are hidden from the role", async () => {
    const { url, query } = await testDatabase([initial]);
    const [database] = await query("SELECT current_database() AS name");
    const role = `plain_${database?.["name"]}`;
    await query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'plain'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`,
    );
    const plain = new URL(url);
    [plain.username, plain.password] = [role, "plain"];
    const options = { url: plain.href, migrations: [initial], log: silent };
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await query("ALTER TABLE books ENABLE ROW LEVEL SECURITY");
    expect(differenceLines((await verifyDatabase(options)).differences)).toEqual([
      "books  expected no row security, is row security that hides rows from this role",
    ]);
    expect(await verifyDatabase({ ...options, url })).toMatchObject({ differences: [], notes: [] });
    await query("ALTER TABLE books DISABLE ROW LEVEL SECURITY");
    expect(await verifyDatabase(options)).toMatchObject({ differences: [], notes: [] });
    await query(`REVOKE TEMPORARY ON DATABASE ${database?.["name"]} FROM PUBLIC`);
    await expect(verifyDatabase(options)).rejects.toThrow(/may not: .*; GRANT TEMPORARY ON DATABASE/);
    await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test("waits for a table that somebody has locked, and gives up in words", async () => {
    const { url, query } = await testDatabase([initial]);
    const timing = { lockTimeoutMs: 20, pauseMs: 20, attempts: 3 };
    const verify = () => verifyDatabase({ url, migrations: [initial], log: silent, timing });
    await query("BEGIN; LOCK TABLE books IN ACCESS EXCLUSIVE MODE");
    await expect(verify()).rejects.toThrow(/^the tables of the database cannot be read: .*lock timeout/);
    await query("ROLLBACK");
    expect(await verify()).toMatchObject({ differences: [], notes: [] });
  });
});
