import pg from "pg";
import { test } from "vitest";
import { type Migration, migrate, verifyDatabase } from "#runtime/migrations/runner/index";
import { testDatabase } from "../../../support/database.ts";
import { silent } from "../../../support/silent-log.ts";
test("dbg", async () => {
  const db = await testDatabase();
  const note = { step: "create_table", table: "note", found: true, columns: [{ name: "body", type: "text", nullable: true }] } as const;
  const film = { step: "create_table", table: "film", found: true, columns: [{ name: "body", type: "text", nullable: true }] } as const;
  const migrations: Migration[] = [
    { name: "0001_baseline", parent: null, up: [film, note], down: [], found: [] },
    { name: "0002_x", parent: "0001_baseline", up: [{ step: "drop_table", table: "note" }], down: [], found: [] },
  ];
  const options = { url: db.url, migrations, log: silent };
  console.log(await migrate(options));
  const old = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const t = args[0];
    if (typeof t === "string" && !t.includes("pg_class")) console.log("SQL", t.slice(0, 300));
    return Reflect.apply(old, this, args);
  } as typeof old;
  try { console.log(await verifyDatabase(options)); } catch (e) { console.log(String(e)); }
  pg.Client.prototype.query = old;
});
