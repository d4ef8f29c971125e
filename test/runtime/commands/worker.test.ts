import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../support/command.ts";
import { testDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { testQueue } from "../../support/queue.ts";
import { startServiceProcess } from "../../support/service-process.ts";

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
  const missing = "the queue of jobs has no tables yet: run npm run migrate";
  await eventually(() => expect(output()).toContain(`"msg":"no jobs are run: ${missing}"`));
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
  expect(output()).toMatch(/stopping: SIGTERM.*a job that is not done waits again.*stopped/s);
});
