import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { findBinaries } from "#runtime/embedded-postgres/index";
import { findPostmaster } from "#runtime/embedded-postgres/postmaster";
import { afterFile } from "../../support/after-file.ts";
import { compiled } from "../../support/compiled.ts";
import { fixtureApp } from "../../support/temporary-folder.ts";

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
