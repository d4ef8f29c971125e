import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { findPostmaster } from "#runtime/migrations/embedded-postgres/embedded";
import { findBinaries } from "#runtime/migrations/embedded-postgres/index";
import type { CodeMigrations } from "#runtime/migrations/runner/index";
import { type AdminClient, connectAdmin } from "#runtime/testing/admin-connection";
import { copyTemplate, freshDatabase } from "#runtime/testing/test-database";
import type { TestServer } from "#runtime/testing/test-server";
import { afterFile } from "../../support/after-file.ts";
import { compiled } from "../../support/compiled.ts";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { fixtureApp } from "../../support/temporary-folder.ts";

/** A server with one app's databases, whose names are known. */
async function appOnServer() {
  const { url, query } = await testDatabase();
  const prefix = `kirak_test_${randomBytes(4).toString("hex")}_`;
  const server: TestServer = { url, isDisposable: true, async stop() {} };
  onTestFinished(async () => {
    for (const name of await names()) await query(`drop database "${name}" with (force)`);
  });
  const names = async () => {
    const rows = await query("select datname from pg_database where starts_with(datname, $1) order by oid", [
      prefix,
    ]);
    return rows.map(({ datname }) => String(datname));
  };
  const migrationsWith = (table: string): CodeMigrations => {
    const up = [{ step: "create_table", table, columns: [] }] as const;
    return { builtIn: [], migrations: [{ name: `0001_${table}`, parent: null, up, down: [] }] };
  };
  return {
    server,
    prefix,
    query,
    names: async () => (await names()).map((name) => name.replace(prefix, "")),
    migrationsWith,
    fresh: (table: string) => freshDatabase(server, migrationsWith(table), { prefix, log: silent }),
  };
}

test("concurrent callers get copies of one template, which stays", async () => {
  const { fresh, names } = await appOnServer();
  const copies = await Promise.all([fresh("a"), fresh("a"), fresh("a")]);
  expect(new Set(copies.map(({ url }) => url)).size).toBe(3);
  const [template, ...others] = await names();
  expect([template, others.length]).toEqual([expect.stringMatching(/^template_/), 3]);
  await Promise.all(copies.map((copy) => copy.drop()));
  await (await fresh("a")).drop();
  expect(await names()).toEqual([template]);
});

test("the templates of the last migrations stay, and older ones go", async () => {
  const { fresh, names } = await appOnServer();
  for (const name of ["a", "b", "c", "d", "e", "f"]) await (await fresh(name)).drop();
  const all = await names();
  await (await fresh("f")).drop();
  expect(await names()).toEqual(all.slice(-4));
});

test("the next run removes the leftovers of a killed run, and keeps databases in use", async () => {
  const { fresh, names, prefix, query } = await appOnServer();
  const used = await fresh("a");
  const before = await names();
  for (const name of ["copy_dead", "draft_dead", "other"]) await query(`create database "${prefix}${name}"`);
  const own = await fresh("a");
  const after = await names();
  expect(after.filter((name) => !before.includes(name))).toEqual(["other", expect.stringMatching(/^copy_/)]);
  expect(after).toEqual(expect.arrayContaining(before));
  await Promise.all([used.drop(), own.drop()]);
});

test("a copy is dropped while a client is connected to it", async () => {
  const { fresh, names } = await appOnServer();
  const copy = await fresh("a");
  const client = await connectAdmin(copy.url);
  await copy.drop();
  expect(await names()).toHaveLength(1);
  await client.end();
});

test("a template that goes before it is copied is made again", async () => {
  const { server, prefix, names, migrationsWith } = await appOnServer();
  const connection = await connectAdmin(server.url);
  let removals = 0;
  const query = async (text: string, values: unknown[]) => {
    const template = /^create database .* template "(.*)"/.exec(text)?.[1];
    if (template !== undefined && removals++ < 2) await connection.query(`drop database "${template}"`);
    return connection.query(text, values);
  };
  const admin: AdminClient = Object.assign(Object.create(connection), { query });
  const options = { url: server.url, prefix, log: silent };
  const name = await copyTemplate(admin, migrationsWith("a"), options);
  expect(await names()).toContain(name.replace(prefix, ""));
  await connection.end();
});

// Its folder has blanks, as those of people do.
const root = fixtureApp();
const homes = join(root, "var", "kirak", "testing");
const { version } = findBinaries();
const data = join(homes, version, "postgres");
const children: ChildProcess[] = [];
afterFile(() => {
  for (const child of children) child.kill("SIGKILL");
  const left = findPostmaster(data);
  if (left !== null) process.kill(left.pid, "SIGQUIT");
});

/** What a process of the tests tells of its service. */
interface Serving {
  readonly child: ChildProcess;
  readonly status: number;
  readonly database: URL;
  /** What it has printed. */
  readonly printed: () => string;
}

/** A process of the tests of an app. */
async function serve(): Promise<Serving> {
  const env = { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], NODE_ENV: "production" };
  const child = fork(compiled(new URL("serve-once.ts", import.meta.url)), [root], { env, silent: true });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  const died = once(child, "exit").then(([code]) => expect.fail(`it has ended with ${code}: ${text}`));
  const [{ status, databaseUrl }] = await Promise.race([once(child, "message"), died]);
  died.catch(() => {});
  return { child, status, database: new URL(databaseUrl), printed: () => text };
}

async function end({ child }: Serving, how: "in order" | "killed"): Promise<void> {
  const ended = once(child, "exit");
  if (how === "killed") child.kill("SIGKILL");
  else child.send("stop");
  await ended;
}

/** Names of the databases that one of them sees. */
async function namesSeenBy({ database }: Serving): Promise<string[]> {
  const client = new pg.Client(database.href);
  await client.connect();
  const { rows } = await client.query("select datname from pg_database where starts_with(datname, 'kirak_')");
  await client.end();
  return rows.map(({ datname }) => `/${datname}`);
}

test("files that begin at once share a server and a template, and the last to stop ends the server", async () => {
  // Of another version of PostgreSQL.
  mkdirSync(join(homes, "1"), { recursive: true });
  const [one, other] = await Promise.all([serve(), serve()]);
  expect(readdirSync(homes)).toEqual([version]);
  expect([one.status, other.status]).toEqual([200, 200]);
  expect(one.database.host).toBe(other.database.host);
  expect(one.database.pathname).not.toBe(other.database.pathname);
  expect(await namesSeenBy(one)).toHaveLength(3);

  // What a killed run leaves is dropped by the next one.
  await end(one, "killed");
  const next = await serve();
  const names = await namesSeenBy(next);
  expect(names).toEqual(expect.arrayContaining([other.database.pathname, next.database.pathname]));
  expect(names).not.toContain(one.database.pathname);
  await Promise.all([end(other, "in order"), end(next, "in order")]);
  expect(findPostmaster(data)).toBe(null);
  expect(next.printed()).toMatch(/info {2}GET \/stamps\/count 200/);
});
