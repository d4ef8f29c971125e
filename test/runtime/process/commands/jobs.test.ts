import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { prepareQueue } from "#runtime/modules/jobs/index";
import { executeJobsCommand } from "#runtime/process/commands/jobs-command";
import { runCommand } from "../../../support/command.ts";
import { testDatabase } from "../../../support/database.ts";
import { eventually } from "../../../support/eventually.ts";
import { type TestQueue, testQueue } from "../../../support/queue.ts";
import { startServiceProcess } from "../../../support/service-process.ts";
import { silent } from "../../../support/silent-log.ts";

let queue: TestQueue;
beforeAll(async () => {
  queue = await testQueue();
});

test("the list has a line per job for every key and error, and nothing of its payload", async () => {
  const list = (json: boolean) => executeJobsCommand({ command: "list", json }, queue.database);
  expect(await list(false)).toBe("no job is waiting, running or dead\n");
  const payload = { secret: "topsecret" };
  const key = "a\n     999  dead \u001b[2J\u202e";
  const runAt = "2999-01-31T08:00:00.000Z";
  const later = await queue.send("remind", payload, { runAt, key, queue: "line" });
  const dead = await queue.send("tidy", payload, { runAt, attempts: 3 });
  const running = await queue.send("import", payload, { runAt });
  await queue.query("update kirak_jobs.jobs set attempts = 3, last_error = $2 where id = $1", [
    dead,
    "no answer\n from ann@example.org \u001b[31m",
  ]);
  await queue.query(
    "update kirak_jobs.jobs set attempts = 1, worker = 'w', lease = gen_random_uuid() where id = $1",
    [running],
  );
  const text = await list(false);
  expect(text).toBe(
    [
      `${dead.padStart(8)}  dead     ${runAt}    3/3  tidy  no answer from [masked] \\u001b[31m`,
      `${running.padStart(8)}  running  ${runAt}   1/10  import`,
      `${later.padStart(8)}  waiting  ${runAt}   0/10  remind  queue line  key a\\u000a     999  dead \\u001b[2J\\u202e`,
      "",
    ].join("\n"),
  );
  expect(JSON.parse(await list(true))).toMatchObject([{ id: dead }, { id: running }, { id: later, key }]);
  expect(`${text}${await list(true)}`).not.toMatch(/topsecret|ann@/);
  const change = (command: "retry" | "remove", id: string) =>
    executeJobsCommand({ command, id }, queue.database).catch((error: unknown) => String(error));
  expect([await change("retry", dead), await change("remove", later), await change("remove", later)]).toEqual(
    [
      `job ${dead} runs as soon as a worker is free\n`,
      `job ${later} is removed\n`,
      `CommandError: job ${later} does not exist`,
    ],
  );
  expect([await change("retry", running), await change("remove", running)]).toEqual(
    Array(2).fill(`CommandError: job ${running} is running: wait until it ends`),
  );
});

test("if the queue's schema does not match this version, the command reports it and fails", async () => {
  const { url, query } = await testDatabase();
  await prepareQueue(url, silent);
  await query("delete from kirak_jobs.migrations");
  const { code, printed, complained } = await runCommand(new URL("jobs-in-process.ts", import.meta.url), {
    environment: { SERVICE_DATABASE_URL: url },
  });
  expect([code, printed]).toEqual([1, ""]);
  expect(complained).toBe("the tables of the job queue are from an older version: run npm run migrate\n");
});

/** A project with these templates of mails. */
function projectWith(mails: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), "kirak-worker-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "models/mails"), { recursive: true });
  const server = { shutdown_timeout_seconds: 1.2 };
  writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ server }));
  for (const name of mails) writeFileSync(join(root, `models/mails/${name}.txt`), "Subject: -\n\n");
  return root;
}

const module = new URL("worker-in-process.ts", import.meta.url);

test("a worker does not start where a template is missing that its service was made with", async () => {
  const { url } = await testDatabase();
  const { code, complained } = await runCommand(module, {
    root: projectWith(["opening"]),
    environment: { SERVICE_DATABASE_URL: url, SERVICE_MIGRATE_ON_START: "false" },
  });
  expect([code, complained]).toEqual([1, expect.stringContaining("models/mails/closing.txt is missing: ")]);
});

test("a worker waits for the tables of the queue where it makes none; a job that hangs holds a worker up no longer than the shutdown may take, and runs again", async () => {
  const queue = await testQueue();
  await queue.query("alter schema kirak_jobs rename to away");
  const { child, exit, output } = startServiceProcess(module, projectWith(["closing"]), {
    SERVICE_DATABASE_URL: queue.url,
    SERVICE_MIGRATE_ON_START: "false",
  });
  const missing = "the job queue has no tables yet: run npm run migrate";
  await eventually(() => expect(output()).toContain(`"msg":"cannot take jobs: ${missing}"`));
  expect(output()).toContain(`"msg":"${missing}"`);
  await queue.query("alter schema away rename to kirak_jobs");
  const id = await queue.send("endless", {}, { attempts: 1 });
  await once(child, "message");
  child.kill("SIGTERM");
  expect(await exit).toBe(0);
  expect(await queue.rows()).toMatchObject([
    { id, attempts: 0, running: false, later: false, last_error: null },
  ]);
  expect(await queue.query("select from kirak_jobs.workers")).toEqual([]);
  expect(output()).toMatch(/stopping: SIGTERM.*a job was interrupted and waits again.*stopped/s);
});
