import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { CodeMigrations } from "#runtime/migrations/index";
import { type Administrator, connectAdministrator } from "#runtime/testing/administer";
import { copyOfTemplate } from "#runtime/testing/copy-of-template";
import { freshDatabase } from "#runtime/testing/fresh-database";
import type { TestServer } from "#runtime/testing/test-server";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";

/** A server with one app's databases, whose names are known. */
async function appOnServer() {
  const { url, query } = await testDatabase();
  const prefix = `kirak_test_${randomBytes(4).toString("hex")}_`;
  const server: TestServer = { url, isOurs: true, async stop() {} };
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

test("those who ask at once get copies of one template, which stays", async () => {
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

test("what a killed run left goes with the next one, and what others use stays", async () => {
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

test("a copy goes as well while somebody is connected to it", async () => {
  const { fresh, names } = await appOnServer();
  const copy = await fresh("a");
  const client = await connectAdministrator(copy.url);
  await copy.drop();
  expect(await names()).toHaveLength(1);
  await client.end();
});

test("a template that goes before it is copied is made again", async () => {
  const { server, prefix, names, migrationsWith } = await appOnServer();
  const connection = await connectAdministrator(server.url);
  let removals = 0;
  const query = async (text: string, values: unknown[]) => {
    const template = /^create database .* template "(.*)"/.exec(text)?.[1];
    if (template !== undefined && removals++ < 2) await connection.query(`drop database "${template}"`);
    return connection.query(text, values);
  };
  const admin: Administrator = Object.assign(Object.create(connection), { query });
  const options = { url: server.url, prefix, log: silent };
  const name = await copyOfTemplate(admin, migrationsWith("a"), options);
  expect(await names()).toContain(name.replace(prefix, ""));
  await connection.end();
});
