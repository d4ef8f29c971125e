import { beforeAll, describe, expect, it } from "vitest";
import type { JobRun } from "#runtime/modules/jobs/index";
import { eventually } from "../../../support/eventually.ts";
import { runnable, type TestQueue, testQueue } from "../../../support/queue.ts";

let queue: TestQueue;

beforeAll(async () => {
  queue = await testQueue();
});

const stopMs = 5_000;
const rowsOf = async (name: string) => (await queue.rows()).filter((row) => row["name"] === name);

/** A promise, and its resolve function. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("a job", () => {
  it("runs once with its payload and is gone, with one line in the log that does not have the payload", async () => {
    const seen: unknown[] = [];
    const worker = queue.work([runnable("first", { run: async (run) => void seen.push(run) })]);
    const id = await queue.send("first", { secret: "topsecret" });
    await eventually(async () => expect([seen.length, await rowsOf("first")]).toEqual([1, []]));
    await worker.stop(stopMs);
    expect(seen).toMatchObject([{ id, name: "first", attempt: 1, payload: { secret: "topsecret" } }]);
    expect(worker.log).toMatchObject([{ level: 30, job: "first", job_id: id, attempt: 1, msg: "job" }]);
    expect(worker.log[0]?.["request_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(worker.log)).not.toContain("topsecret");
  });

  it("is not run before its transaction has committed, and never where that is rolled back", async () => {
    const seen: unknown[] = [];
    queue.work([runnable("committed", { run: async ({ payload }) => void seen.push(payload) })]);
    await queue.send("committed", 0);
    await queue.database.transaction(async (transaction) => {
      await queue.sendIn(transaction, "committed", 1);
      await eventually(() => expect(seen).toEqual([0]));
      await queue.send("committed", 2);
      await eventually(() => expect(seen).toEqual([0, 2]));
    });
    await eventually(() => expect(seen).toEqual([0, 2, 1]));
    const undone = queue.database.transaction(async (transaction) => {
      await queue.sendIn(transaction, "committed", 3);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await queue.database.transaction(async (transaction) => {
      await transaction
        .savepoint(async () => {
          await queue.sendIn(transaction, "committed", 4);
          throw new Error("undone");
        })
        .catch(() => {});
    });
    await queue.send("committed", 5);
    await eventually(() => expect(seen).toEqual([0, 2, 1, 5]));
  });

  it("is not run before its time", async () => {
    const seen: unknown[] = [];
    queue.work([runnable("timed", { run: async ({ payload }) => void seen.push(payload) })]);
    await queue.send("timed", "later", { runAt: "2999-01-01T00:00:00Z" });
    await queue.send("timed", "now");
    await eventually(async () =>
      expect([seen, await rowsOf("timed")]).toMatchObject([
        ["now"],
        [{ payload: "later", later: true, attempts: 0 }],
      ]),
    );
  });

  it("of a name that a worker does not know is left to others", async () => {
    await queue.send("unknown");
    await queue.send("known");
    const worker = queue.work([runnable("known")]);
    await eventually(async () => expect(await rowsOf("known")).toEqual([]));
    await worker.stop(stopMs);
    expect(await rowsOf("unknown")).toMatchObject([{ attempts: 0, running: false }]);
  });

  it("that waits or is dead is never deleted by itself, however old it is; rows of workers long gone are", async () => {
    const waiting = await queue.send("forgotten", {}, { runAt: "2001-01-01T00:00:00Z", queue: "forgotten" });
    const dead = await queue.send("given up", {}, { runAt: "2001-01-01T00:00:00Z", attempts: 1 });
    await queue.query("update kirak_jobs.jobs set attempts = 1 where id = $1", [dead]);
    await queue.query("insert into kirak_jobs.workers values ('long gone', '2001-01-01')");
    const ran: unknown[] = [];
    const worker = queue.work([runnable("given up"), runnable("new", { run: async () => void ran.push(1) })]);
    await queue.send("new");
    await eventually(() => expect(ran).toEqual([1]));
    await worker.stop(stopMs);
    expect(await rowsOf("forgotten")).toMatchObject([{ id: waiting, attempts: 0 }]);
    expect(await rowsOf("given up")).toMatchObject([{ id: dead, attempts: 1, max_attempts: 1 }]);
    expect(await queue.query("select from kirak_jobs.workers")).toEqual([]);
  });

  it("that a transaction has changed waits for its end, and holds up no other job", async () => {
    const seen: unknown[] = [];
    const run = async ({ payload }: { payload: unknown }) => void seen.push(payload);
    await queue.send("replaced", "before", { key: "one" });
    const worker = await queue.database.transaction(async (transaction) => {
      await queue.sendIn(transaction, "replaced", "after", { key: "one" });
      const worker = queue.work([runnable("replaced", { run })]);
      await queue.send("replaced", "next");
      await eventually(() => expect(seen).toEqual(["next"]));
      return worker;
    });
    await eventually(() => expect(seen).toEqual(["next", "after"]));
    await worker.stop(stopMs);
    expect(worker.log.filter(({ msg }) => msg !== "job")).toEqual([]);
  });
});

describe("a job that fails", () => {
  it("is retried with growing pauses up to its number of attempts, and then kept as dead", async () => {
    const failing = runnable("failing", {
      run: async () => {
        throw new Error("not today");
      },
    });
    const worker = queue.work([failing]);
    const id = await queue.send("failing", { secret: "topsecret" }, { attempts: 3 });
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await eventually(async () =>
        expect(await rowsOf("failing")).toMatchObject([{ attempts: attempt, running: false }]),
      );
      const [row] = await queue.query(
        "select extract(epoch from run_at - now())::float8 as pause from kirak_jobs.jobs where id = $1",
        [id],
      );
      pauses.push(Number(row?.["pause"]));
      if (attempt < 3) await queue.query("update kirak_jobs.jobs set run_at = now() where id = $1", [id]);
    }
    await worker.stop(stopMs);
    expect(pauses[0]).toBeGreaterThan(0.5);
    expect(pauses[1]).toBeGreaterThan(Number(pauses[0]) * 1.5);
    expect(await rowsOf("failing")).toMatchObject([
      { attempts: 3, max_attempts: 3, last_error: "not today" },
    ]);
    // biome-ignore format: one case a line
    expect(worker.log).toMatchObject([
      { level: 40, attempt: 1, msg: "a job has failed and will be retried" },
      { level: 40, attempt: 2 },
      { level: 50, attempt: 3, msg: "a job is dead: its last attempt has failed", err: { message: "not today" } },
    ]);
    expect(JSON.stringify(worker.log)).not.toContain("topsecret");
  });

  it.each<[string, unknown, string]>([
    ["what PostgreSQL cannot store", new Error("a\0b \ud800 c"), "a\ufffdb \ufffd c"],
    ["longer than the limit", new Error("x".repeat(100_000)), "x".repeat(2_000)],
    ["nothing", new Error(), "an error without a message"],
    ["a text", "not today", "not today"],
    ["not an error", { secret: "topsecret" }, "the thrown value is not an Error"],
  ])("with %s is retried like any other, and the worker goes on", async (said, thrown, kept) => {
    const name = `failing with ${said}`;
    const ran: unknown[] = [];
    const fail = async () => {
      throw thrown;
    };
    const worker = queue.work([
      runnable(name, { run: fail }),
      runnable(`after ${name}`, { run: async () => void ran.push(1) }),
    ]);
    await queue.send(name);
    await eventually(async () =>
      expect(await rowsOf(name)).toMatchObject([
        { attempts: 1, running: false, later: true, last_error: kept },
      ]),
    );
    await queue.send(`after ${name}`);
    await eventually(() => expect(ran).toEqual([1]));
    await worker.stop(stopMs);
    expect(worker.log.map(({ msg }) => msg)).toEqual(["a job has failed and will be retried", "job"]);
  });

  it("gets a signal when it exceeds its timeout", async () => {
    const told: unknown[] = [];
    const worker = queue.work([
      runnable("slow", {
        timeoutMs: 50,
        run: ({ signal }) =>
          new Promise(() => signal.addEventListener("abort", () => told.push(signal.reason.message))),
      }),
    ]);
    await queue.send("slow");
    await eventually(async () =>
      expect(await rowsOf("slow")).toMatchObject([{ attempts: 1, last_error: "it took longer than 0.05 s" }]),
    );
    expect(told).toEqual(["it took longer than 0.05 s"]);
    await worker.stop(stopMs);
  });

  it("because its payload does not fit any more is dead at once, and has not run", async () => {
    const ran: unknown[] = [];
    const worker = queue.work([
      runnable("misfit", {
        read: (value) => ({
          value,
          problems: value === "topsecret" ? [{ field: "id", message: "is required" }] : [],
        }),
        run: async ({ payload }) => void ran.push(payload),
      }),
    ]);
    await queue.send("misfit", "topsecret");
    await eventually(async () =>
      expect(await rowsOf("misfit")).toMatchObject([{ attempts: 10, max_attempts: 10, running: false }]),
    );
    await worker.stop(stopMs);
    expect(await rowsOf("misfit")).toMatchObject([{ last_error: "its payload is invalid: id is required" }]);
    expect(ran).toEqual([]);
    expect(worker.log).toMatchObject([
      { level: 50, err: { message: "its payload is invalid: id is required" }, job: "misfit" },
    ]);
    expect(JSON.stringify(worker.log)).not.toContain("topsecret");
  });
});

it("a run gets the payload that the schema converts", async () => {
  const ran: unknown[] = [];
  const read = async (value: unknown) => ({ problems: [], value: { day: new Date(String(value)) } });
  const worker = queue.work([
    runnable("dated", { read, run: async ({ payload }) => void ran.push(payload) }),
  ]);
  await queue.send("dated", "2026-01-31");
  await eventually(() => expect(ran).toEqual([{ day: new Date("2026-01-31") }]));
  await worker.stop(stopMs);
});

describe("jobs of one queue", () => {
  const line = { queue: "line" };

  it("run one at a time across all workers while other jobs run in parallel; a failed one does not block the rest", async () => {
    const order: string[] = [];
    const [first, other] = [gate(), gate()];
    const serial = async ({ payload }: JobRun) => {
      order.push(`begins ${payload}`);
      if (payload !== 1) return;
      await first.opened;
      order.push("fails 1");
      throw new Error("not today");
    };
    const jobs = [runnable("serial", { run: serial }), runnable("other", { run: async () => other.open() })];
    const workers = [queue.work(jobs), queue.work(jobs)];
    await queue.send("serial", 1, line);
    await eventually(() => expect(order).toEqual(["begins 1"]));
    await queue.send("unknown", 0, { ...line, runAt: "2001-01-01T00:00:00Z" });
    await queue.send("serial", 2, line);
    await queue.send("serial", 3, line);
    await queue.send("other");
    await other.opened;
    expect(order).toEqual(["begins 1"]);
    first.open();
    await eventually(() => expect(order).toEqual(["begins 1", "fails 1", "begins 2", "begins 3"]));
    await Promise.all(workers.map((worker) => worker.stop(stopMs)));
    expect(await rowsOf("serial")).toMatchObject([{ payload: 1, attempts: 1 }]);
  });

  it("run in the order of their times, one at a time and each once, however many workers take them", async () => {
    const order: unknown[] = [];
    const atOnce = { now: 0, most: 0 };
    const run = async ({ payload }: JobRun) => {
      atOnce.most = Math.max(atOnce.most, ++atOnce.now);
      order.push(payload);
      await queue.database.run({ name: null, text: "select 1" }, []);
      atOnce.now--;
    };
    const numbers = Array.from({ length: 80 }, (_, number) => number);
    for (const number of numbers.toReversed()) {
      const runAt = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString();
      await queue.send("in order", number, { queue: "in order", runAt });
    }
    const workers = numbers
      .slice(0, 4)
      .map(() => queue.work([runnable("in order", { run })], { concurrency: 4 }));
    await eventually(async () => expect(await rowsOf("in order")).toEqual([]));
    await Promise.all(workers.map((worker) => worker.stop(stopMs)));
    expect([order, atOnce]).toEqual([numbers, { now: 0, most: 1 }]);
    for (const { log } of workers) expect(log.filter(({ msg }) => msg !== "job")).toEqual([]);
  });
});

describe("a worker that stops", () => {
  it("takes no further job, and waits for those that it has", async () => {
    const [begun, end] = [gate(), gate()];
    const worker = queue.work(
      [
        runnable("lasting", {
          run: async () => {
            begun.open();
            await end.opened;
          },
        }),
      ],
      { concurrency: 1 },
    );
    await queue.send("lasting", 1);
    await begun.opened;
    const stopped = worker.stop(20_000);
    await queue.send("lasting", 2);
    end.open();
    await stopped;
    expect(await rowsOf("lasting")).toMatchObject([{ payload: 2, attempts: 0 }]);
    expect(await queue.query("select from kirak_jobs.workers")).toEqual([]);
  });

  it("gives back what is not done in time, also of a queue: it runs again, and no attempt has been used up", async () => {
    const begun = gate();
    const reasons: unknown[] = [];
    const endless = runnable("endless", {
      run: ({ signal }) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason.message));
        begun.open();
        return new Promise(() => {});
      },
    });
    const worker = queue.work([endless], { concurrency: 1 });
    await queue.send("endless", {}, { attempts: 1, queue: "given back" });
    await begun.opened;
    await worker.stop(0);
    expect(await rowsOf("endless")).toMatchObject([{ attempts: 0, running: false, later: false }]);
    expect(reasons).toEqual(["this process stops"]);
    expect(worker.log).toMatchObject([
      { level: 40, msg: "a job was interrupted and waits again: this process stops" },
    ]);
    const next = queue.work([runnable("endless")]);
    await eventually(async () => expect(await rowsOf("endless")).toEqual([]));
    await next.stop(stopMs);
  });

  it("because it has crashed takes no further job and keeps those that it has: that attempt counts, as of a process that is killed", async () => {
    const begun = gate();
    const worker = queue.work(
      [
        runnable("crashing", {
          run: () => {
            begun.open();
            return new Promise(() => {});
          },
        }),
      ],
      { concurrency: 1 },
    );
    await queue.send("crashing", 1);
    await begun.opened;
    await worker.abandon();
    await queue.send("crashing", 2);
    expect(await rowsOf("crashing")).toMatchObject([
      { payload: 1, attempts: 1, running: true },
      { payload: 2, attempts: 0, running: false },
    ]);
  });
});
