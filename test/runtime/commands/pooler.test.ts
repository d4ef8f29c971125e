import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { hasPgBouncer, pgBouncerTo } from "../../support/pgbouncer.ts";
import { startServiceProcess } from "../../support/service-process.ts";

describe.skipIf(!hasPgBouncer)("a process whose requests go through a pooler", async () => {
  if (!hasPgBouncer) return;
  const own = await testDatabase();
  const pooler = await pgBouncerTo(own.url);
  const root = mkdtempSync(join(tmpdir(), "kirak-process-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models/manifest.json"), "{}");
  const migration = { name: "0001_initial", parent: null, up: [], down: [] };
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  writeFileSync(join(root, "0001_initial.js"), `export const migration = ${JSON.stringify(migration)};`);
  const start = (environment: Record<string, string>) =>
    startServiceProcess(new URL("../process/service-in-process.ts", import.meta.url), root, {
      SERVICE_DATABASE_URL: pooler.url,
      ...environment,
    });

  test("leaves no lock behind where it migrates through the pooler all the same", async () => {
    const service = start({ SERVICE_DATABASE_NAMED_STATEMENTS: "false" });
    await service.listening();
    const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = x'6b697261'::int
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect(await own.query(locks)).toEqual([]);
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
  });

  test("migrates over the direct way, and serves through the pooler", async () => {
    const direct = { SERVICE_DATABASE_DIRECT_URL: own.url, SERVICE_DATABASE_NAMED_STATEMENTS: "false" };
    const service = start(direct);
    const address = await service.listening();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await own.query("SELECT name FROM kirak_migrations ORDER BY id DESC LIMIT 1")).toEqual([
      { name: "0001_initial" },
    ]);
    expect(await (await fetch(`${address}/lock-timeout`)).json()).toEqual([["10s"]]);
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
  });
});
