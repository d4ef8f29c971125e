import type { ChildProcess } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import pg from "pg";
import { describe, expect, inject, test } from "vitest";
import { chooseSystemAccount } from "#runtime/migrations/embedded-postgres/account";
import { afterFile } from "../support/after-file.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { needs } from "../support/needs.ts";
import type { App, Served } from "./support/app.ts";
import { linkedApp } from "./support/installed.ts";

/** Debian has the programs of the server outside of PATH. */
const initdb = needs(
  "initdb",
  ...["18", "17", "16", "15"].map((version) => `/usr/lib/postgresql/${version}/bin/initdb`),
);
const programs = dirname(initdb ?? "");
const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "backup.md"), "utf8");
const root = join(inject("runFolder"), "backup");

/** The code blocks of a section of the page. */
function blocksOf(title: string): string[] {
  const section = page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/```\w+\n([^`]+)```/g)].map(([, block = ""]) => block);
}

/** Runs lines of the page, with the programs of the server in their path. */
const shell = (app: App, lines: string | undefined, more: Readonly<Record<string, string>>) =>
  app
    .with({ PATH: `${programs}:${process.env["PATH"]}`, ...more })
    .succeed("sh", "-euc", String(lines).replaceAll("/backup", root));

interface Cluster {
  readonly url: (database: string) => string;
  readonly data: string;
  stop(): Promise<void>;
}

/** Starts PostgreSQL in a data folder, as an ordinary user. */
async function started(data: string): Promise<Cluster> {
  const account = chooseSystemAccount(data, programs);
  const port = await freePort();
  const words = [
    "-D",
    data,
    "-p",
    String(port),
    "-c",
    "unix_socket_directories=",
    "-c",
    "listen_addresses=127.0.0.1",
  ];
  const server: ChildProcess = account.spawn(join(programs, "postgres"), words, "ignore");
  const ended = new Promise((resolve) => server.once("exit", resolve));
  afterFile(() => void server.kill("SIGQUIT"));
  const url = (database: string) => `postgres://shop@127.0.0.1:${port}/${database}`;
  await eventually(() =>
    rows(url("postgres"), "select 1 where not pg_is_in_recovery()").then(([row]) =>
      expect(row).toBeDefined(),
    ),
  );
  return {
    url,
    data,
    async stop() {
      server.kill("SIGINT");
      await ended;
    },
  };
}

async function rows(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  return client
    .query(text)
    .then((result) => result.rows)
    .finally(() => client.end());
}

/** A new cluster that archives its log, as the page says. */
async function newCluster(): Promise<Cluster> {
  const data = join(root, "data");
  mkdirSync(join(root, "wal"), { recursive: true });
  for (const folder of [root, join(root, "wal")]) chmodSync(folder, 0o777);
  const account = chooseSystemAccount(data, programs);
  const made = account.spawn(join(programs, "initdb"), ["-D", data, "-U", "shop", "--auth=trust"], "ignore");
  expect(await new Promise((resolve) => made.once("exit", resolve))).toBe(0);
  appendFileSync(
    join(data, "postgresql.conf"),
    String(blocksOf("Point-in-time recovery")[0]).replaceAll("/backup", root),
  );
  return started(data);
}

const person = { email: "ann@example.com", password: "A-long-password-of-ann-1!" };

async function tokenIn(served: Served): Promise<string> {
  const answer = await served.ask("/auth/login", undefined, person);
  expect(answer.status, answer.text).toBe(200);
  return JSON.parse(answer.text).data.accessToken;
}

const authors = async (served: Served, token: string) =>
  JSON.parse((await served.ask("/authors/fetch", token)).text).data.map(({ name }: { name: string }) => name);

async function prepared(): Promise<{ readonly cluster: Cluster; readonly app: App }> {
  const made = await linkedApp(join(root, "app"), "--example", "bookshop");
  await made.kirakSucceeds("generate");
  await made.kirakSucceeds("secrets", "--write");
  const cluster = await newCluster();
  await rows(cluster.url("postgres"), "create database shop");
  return { cluster, app: made.with({ SERVICE_DATABASE_URL: cluster.url("shop") }) };
}

let preparation: ReturnType<typeof prepared> | undefined;
const ready = () => (preparation ??= prepared());

describe.skipIf(initdb === null)("backups", () => {
  test("the page restores accounts, rows, files and the history of migrations", {
    timeout: 400_000,
  }, async () => {
    const { cluster, app } = await ready();
    const admin = { SERVICE_ADMIN_EMAIL: person.email, SERVICE_ADMIN_PASSWORD: person.password };
    await app.kirakSucceeds("migrate");
    await app.with(admin).kirakSucceeds("create-admin");
    const before = await app.serve();
    const token = await tokenIn(before);
    const created = await before.ask("/authors/create", token, { data: { name: "Ursula K. Le Guin" } });
    expect(created.status, created.text).toBe(200);
    const form = new FormData();
    form.append("path", "covers/1.png");
    form.append("file", new Blob([picture], { type: "image/png" }), "1.png");
    const headers = { Authorization: `Bearer ${token}` };
    const sent = await fetch(`${before.origin}/storage/upload/file`, { method: "POST", headers, body: form });
    expect(sent.status).toBe(200);
    const [dump] = blocksOf("Dump");
    await shell(app, dump, { SERVICE_DATABASE_URL: cluster.url("shop") });
    expect(await before.stop()).toBe(0);

    await rows(cluster.url("postgres"), "create database restored");
    rmSync(join(app.folder, "var"), { recursive: true, force: true });
    const restored = app.with({ SERVICE_DATABASE_URL: cluster.url("restored") });
    const [restore] = blocksOf("Restore");
    await shell(app, restore, { RESTORED_URL: cluster.url("restored") });
    await restored.kirakSucceeds("migrate", "verify");
    const after = await restored.serve();
    const again = await tokenIn(after);
    expect(await authors(after, again)).toEqual(["Ursula K. Le Guin"]);
    expect((await after.ask("/authors/create", again, { data: { name: "Terry Pratchett" } })).status).toBe(
      200,
    );
    const file = await fetch(`${after.origin}/storage/files/covers/1.png`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(picture);
    expect(await after.stop()).toBe(0);
  });

  test("the page recovers the database to a moment", { timeout: 400_000 }, async () => {
    const { cluster, app } = await ready();
    const [, base] = blocksOf("Point-in-time recovery");
    const data = join(root, "base");
    await rows(cluster.url("postgres"), "create table notes (text text)");
    await shell(app, base, { ADMIN_URL: cluster.url("postgres") });
    await rows(cluster.url("postgres"), "insert into notes values ('kept')");
    const [{ moment } = {}] = await rows(cluster.url("postgres"), "select clock_timestamp()::text as moment");
    await rows(cluster.url("postgres"), "delete from notes");
    const [{ wal } = {}] = await rows(
      cluster.url("postgres"),
      "select pg_walfile_name(pg_switch_wal()) as wal",
    );
    await eventually(() => expect(existsSync(join(root, "wal", wal))).toBe(true));
    await cluster.stop();
    const settings = String(blocksOf("Point-in-time recovery")[2])
      .replaceAll("/backup", root)
      .replace(/recovery_target_time = .+/, `recovery_target_time = '${moment}'`);
    appendFileSync(join(data, "postgresql.auto.conf"), settings);
    writeFileSync(join(data, "recovery.signal"), "");
    chmodSync(data, 0o700);
    await app.succeed("chown", "-R", `--reference=${cluster.data}`, data);
    const recovered = await started(data);
    expect(await rows(recovered.url("postgres"), "select text from notes")).toEqual([{ text: "kept" }]);
    await recovered.stop();
  });
});

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
