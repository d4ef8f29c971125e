import { fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive } from "#runtime/migrations/embedded-postgres/cluster";
import { findPostmaster } from "#runtime/migrations/embedded-postgres/embedded";
import { startEmbedded } from "#runtime/migrations/embedded-postgres/index";
import { compiled } from "../../../support/compiled.ts";
import { silent } from "../../../support/silent-log.ts";

let home: string;
const start = () => startEmbedded({ home, log: silent, settings: { fsync: "off" } });
const data = () => join(home, "postgres");

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), `kirak-test-${process.pid}-`));
  chmodSync(home, 0o755);
});

afterEach(() => {
  const left = findPostmaster(data());
  if (left !== null) process.kill(left.pid, "SIGQUIT");
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
});

async function query(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test("starts on 127.0.0.1 with a password, stops, and keeps its data", async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE kept (a text); INSERT INTO kept VALUES ('É')");
  expect(await query(first.url, "SELECT a FROM kept WHERE a ILIKE 'é'")).toHaveLength(1);
  expect(await query(first.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  const wrong = new URL(first.url);
  wrong.password = "wrong";
  await expect(query(wrong.href, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  expect(statSync(join(home, "postgres.password")).mode & 0o777).toBe(0o600);
  await first.stop();
  expect(findPostmaster(data())).toBe(null);
  const second = await start();
  expect(await query(second.url, "SELECT a FROM kept")).toEqual([{ a: "É" }]);
  await second.stop();
});

test("two at once share one server, and the last to stop ends it", async () => {
  const [first, second] = await Promise.all([start(), start()]);
  expect(first.url).toBe(second.url);
  expect(readdirSync(home).sort()).toEqual(["postgres", "postgres.log", "postgres.password"]);
  await first.stop();
  expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await second.stop();
  expect(findPostmaster(data())).toBe(null);
});

test("a server whose process was killed is taken over", async () => {
  const child = fork(compiled(new URL("embedded-in-process.ts", import.meta.url)), [home]);
  const [url] = await once(child, "message");
  child.kill("SIGKILL");
  await once(child, "exit");
  const next = await start();
  expect(next.url).toBe(url);
  await next.stop();
  expect(findPostmaster(data())).toBe(null);
});

test("a killed server is started again, also when its number is another process's by now", async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE kept (a text)");
  const pid = findPostmaster(data())?.pid ?? 0;
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
  const file = join(data(), "postmaster.pid");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(process.pid)));
  const second = await start();
  expect(await query(second.url, "SELECT * FROM kept")).toEqual([]);
  await second.stop();
  await first.stop();
});

test("a folder of another version, and a lost password, are errors with instructions", async () => {
  await (await start()).stop();
  const password = join(home, "postgres.password");
  rmSync(password);
  await expect(start()).rejects.toThrow(/postgres\.password does not match .*SERVICE_DATABASE_URL/);
  writeFileSync(join(data(), "PG_VERSION"), "9\n");
  await expect(start()).rejects.toThrow(
    /was created by PostgreSQL 9, and this is PostgreSQL \d+: .*SERVICE_DATABASE_URL/,
  );
});
