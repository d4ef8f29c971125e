import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { noTrace } from "#runtime/core/concurrency/index";
import type { EnqueueOptions } from "#runtime/hooks/context/index";
import { defineJob, jobsForCode, registerJobs } from "#runtime/modules/jobs/index";
import { type TestQueue, testQueue } from "../../../support/queue.ts";

let queue: TestQueue;
/** Jobs of this file, and not those that the types of the tests know. */
let jobs: { enqueue(name: string, payload: unknown, options?: EnqueueOptions): Promise<string> };

const remind = defineJob({
  payload: {
    type: "object",
    properties: { id: { type: "integer" }, at: { type: "string", format: "datetime" } },
    required: ["id"],
  },
  attempts: 3,
  queue: "reminders",
  run() {},
});
/** By a library, with a check that waits. */
const invite = defineJob({
  payload: z.object({ day: z.coerce.date(), name: z.string().refine(async (name) => name !== "none") }),
  run({ day }) {
    day.getTime();
  },
});
const tidy = defineJob({ payload: { type: "object" }, run() {} });

beforeAll(async () => {
  queue = await testQueue();
  const made = jobsForCode(
    registerJobs({ remind, invite, tidy }),
    queue.database,
  )({ transaction: null, origin: { trace: noTrace } });
  jobs = { enqueue: (...sent) => Reflect.apply(made.enqueue, made, sent) };
});

const stored = async (id: string) => (await queue.rows()).filter((row) => row["id"] === id);

describe("context.jobs.enqueue", () => {
  it("gives the id of a job as a text, which has what its file says", async () => {
    const id = await jobs.enqueue("remind", { id: 1, at: new Date("2026-01-31T08:00:00Z") });
    expect(await stored(id)).toMatchObject([
      { name: "remind", payload: { id: 1, at: "2026-01-31T08:00:00.000Z" }, max_attempts: 3, attempts: 0 },
    ]);
    expect(await queue.query("select queue from kirak_jobs.jobs where id = $1", [id])).toEqual([
      { queue: "reminders" },
    ]);
  });

  it.each([
    [{}, "payload.id is required"],
    [{ id: "one" }, "payload.id must be integer"],
    [{ id: 1, more: 1 }, "payload.more is not a field"],
    [JSON.parse('{"id": 1, "__proto__": {}}'), "payload.__proto__ is not a field"],
    [{ id: Number.NaN }, "payload.id must be integer"],
    [{ id: 1, at: "soon" }, "payload.at must be an ISO-8601 date or datetime"],
    [[], "payload must be object"],
    [undefined, "payload must be object"],
  ])("refuses the payload %j: %s", async (payload, message) => {
    const before = await queue.rows();
    await expect(jobs.enqueue("remind", payload)).rejects.toThrow(
      `the job remind cannot be sent: ${message}`,
    );
    expect(await queue.rows()).toEqual(before);
  });

  it("keeps what a schema of a library converts as it was sent, and refuses what it refuses", async () => {
    const id = await jobs.enqueue("invite", { day: "2026-01-31", name: "Ann" });
    expect(await stored(id)).toMatchObject([{ payload: { day: "2026-01-31", name: "Ann" } }]);
    await expect(jobs.enqueue("invite", { day: "2026-01-31", name: "none" })).rejects.toThrow(
      "the job invite cannot be sent: payload.name Invalid input",
    );
  });

  it.each(["remindd", "constructor", "__proto__", "kirak:mail"])("knows no job %s", async (name) => {
    const before = await queue.rows();
    await expect(jobs.enqueue(name, {})).rejects.toThrow(`the job "${name}" does not exist`);
    expect(await queue.rows()).toEqual(before);
  });

  it.each([
    [{ run_at: "tomorrow" }, "run_at must be a Date or an ISO-8601 datetime"],
    [{ run_at: new Date("") }, "run_at must be a Date or an ISO-8601 datetime"],
    [{ key: "" }, "key must be a string of 1 to 400 characters"],
    [{ key: "a\0b" }, "key must be a string of 1 to 400 characters"],
    [{ key: "x".repeat(401) }, "key must be a string of 1 to 400 characters"],
  ])("refuses %j", async (options, message) => {
    await expect(jobs.enqueue("tidy", {}, options)).rejects.toThrow(message);
  });
});

describe("a key", () => {
  const at = { run_at: "2999-01-01T00:00:00Z" };

  it("of a job of that name that waits replaces payload and time", async () => {
    const id = await jobs.enqueue("remind", { id: 1 }, { ...at, key: "x".repeat(400) });
    expect(await jobs.enqueue("remind", { id: 2 }, { key: "x".repeat(400) })).toBe(id);
    expect(await stored(id)).toMatchObject([{ payload: { id: 2 }, later: false }]);
    const other = await jobs.enqueue("tidy", {}, { key: "x".repeat(400) });
    expect(other).not.toBe(id);
    expect(await stored(id)).toMatchObject([{ payload: { id: 2 } }]);
  });

  it.each([
    ["running", "worker = 'w', lease = gen_random_uuid(), attempts = 1"],
    ["dead", "attempts = max_attempts, last_error = 'broken'"],
  ])("of one that is %s leaves it as it is: another one is made", async (state, change) => {
    const id = await jobs.enqueue("remind", { id: 1 }, { ...at, key: state });
    await queue.query(`update kirak_jobs.jobs set ${change} where id = $1`, [id]);
    const [before] = await stored(id);
    const next = await jobs.enqueue("remind", { id: 2 }, { ...at, key: state });
    expect(next).not.toBe(id);
    expect(await stored(id)).toEqual([{ ...before, key: null }]);
    expect(await stored(next)).toMatchObject([{ payload: { id: 2 }, attempts: 0 }]);
    expect(await jobs.enqueue("remind", { id: 3 }, { key: state })).toBe(next);
  });

  it("is the key of a job that waits for a retry, and restarts that job", async () => {
    const id = await jobs.enqueue("remind", { id: 1 }, { ...at, key: "again" });
    await queue.query("update kirak_jobs.jobs set attempts = 2, last_error = 'x' where id = $1", [id]);
    expect(await jobs.enqueue("remind", { id: 2 }, { key: "again" })).toBe(id);
    expect(await stored(id)).toMatchObject([{ attempts: 0, last_error: null, payload: { id: 2 } }]);
  });

  it("makes one job of many that are sent at the same time, the first with that key", async () => {
    const fresh = { key: "many", queue: "many" };
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        queue.database.transaction((transaction) => queue.sendIn(transaction, "many", index, fresh)),
      ),
    );
    expect(new Set(ids).size).toBe(1);
  });
});

it("one job is one statement", async () => {
  const statements: string[] = [];
  const counting = {
    run: (...sent: Parameters<typeof queue.database.run>) => {
      statements.push(sent[0].text);
      return queue.database.run(...sent);
    },
  };
  await queue.sendIn(counting, "counted", {}, { key: "one" });
  await queue.sendIn(counting, "counted");
  expect(statements).toHaveLength(2);
});
