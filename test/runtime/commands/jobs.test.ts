import { beforeAll, expect, test } from "vitest";
import { performJobsCommand } from "#runtime/commands/perform-jobs-command";
import { prepareQueue } from "#runtime/jobs/index";
import { runCommand } from "../../support/command.ts";
import { testDatabase } from "../../support/database.ts";
import { type TestQueue, testQueue } from "../../support/queue.ts";
import { silent } from "../../support/silent-log.ts";

let queue: TestQueue;
beforeAll(async () => {
  queue = await testQueue();
});

test("the list has a line a job, whatever its key and its error are, and nothing of its payload", async () => {
  const list = (json: boolean) => performJobsCommand({ command: "list", json }, queue.database);
  expect(await list(false)).toBe("no job waits, runs or is dead\n");
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
    performJobsCommand({ command, id }, queue.database).catch((error: unknown) => String(error));
  expect([await change("retry", dead), await change("remove", later), await change("remove", later)]).toEqual(
    [
      `job ${dead} runs as soon as a worker is free\n`,
      `job ${later} is removed\n`,
      `CommandError: there is no job ${later}`,
    ],
  );
  expect([await change("retry", running), await change("remove", running)]).toEqual(
    Array(2).fill(`CommandError: job ${running} is running: wait for its end`),
  );
});

test("a queue that is not as this version wants it is told so, and the command fails", async () => {
  const { url, query } = await testDatabase();
  await prepareQueue(url, silent);
  await query("delete from kirak_jobs.migrations");
  const { code, printed, complained } = await runCommand(new URL("jobs-in-process.ts", import.meta.url), {
    environment: { SERVICE_DATABASE_URL: url },
  });
  expect([code, printed]).toEqual([1, ""]);
  expect(complained).toBe(
    "the tables of the queue of jobs are those of an older version: run npm run migrate\n",
  );
});
