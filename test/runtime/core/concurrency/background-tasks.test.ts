import { setImmediate } from "node:timers/promises";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BackgroundTasks } from "#runtime/core/concurrency/deferred-tasks";

function logged() {
  const lines: Record<string, unknown>[] = [];
  return {
    lines,
    log: pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  };
}

/** A gate that work waits at. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test("work begins after the caller went on, and drain waits for it", async () => {
  const tasks = new BackgroundTasks(logged().log);
  const done: string[] = [];
  tasks.run("one", async () => void done.push("one"));
  done.push("caller");
  await tasks.drain();
  expect(done).toEqual(["caller", "one"]);
});

test("a failure is logged under its name with the request's log fields, and affects nothing else", async () => {
  const { log, lines } = logged();
  const tasks = new BackgroundTasks(log);
  const own = log.child({ request_id: "r-1" });
  tasks.run("[RESET_REQUEST]", () => Promise.reject(new Error("no mail server")), own);
  tasks.run("thrown", () => {
    throw new Error("at once");
  });
  tasks.run("fine", async () => {});
  await tasks.drain();
  expect(lines).toMatchObject([
    { level: 50, msg: "[RESET_REQUEST] failed", request_id: "r-1", err: { message: "no mail server" } },
    { level: 50, msg: "thrown failed", err: { message: "at once" } },
  ]);
});

test("so many run at once, so many wait in order, and the next is dropped with an error", async () => {
  const { log, lines } = logged();
  const tasks = new BackgroundTasks(log, { atOnce: 2, waiting: 3 });
  const { opened, open } = gate();
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  for (let index = 0; index < 7; index++)
    tasks.run(`task ${index}`, async () => {
      begun.push(index);
      most = Math.max(most, ++running);
      await opened;
      running--;
    });
  const drained = tasks.drain();
  await setImmediate();
  expect(running).toBe(2);
  open();
  await drained;
  expect({ begun, most }).toEqual({ begun: [0, 1, 2, 3, 4], most: 2 });
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [50, "task 5 dropped: the queue is full"],
    [50, "task 6 dropped: the queue is full"],
  ]);
  tasks.run("later", async () => void begun.push(7));
  await tasks.drain();
  expect(begun).toContain(7);
});

test("drain waits for work that work adds", async () => {
  const tasks = new BackgroundTasks(logged().log, { atOnce: 1, waiting: 1 });
  const done: string[] = [];
  tasks.run("outer", async () => tasks.run("inner", async () => void done.push("inner")));
  await tasks.drain();
  expect(done).toEqual(["inner"]);
});

test("drain gives up after its time, logs the remaining tasks, and starts nothing more", async () => {
  const { log, lines } = logged();
  const tasks = new BackgroundTasks(log, { atOnce: 1, waiting: 5 });
  const { opened, open } = gate();
  let second = false;
  tasks.run("stalled", () => opened);
  tasks.run("second", async () => {
    second = true;
  });
  await tasks.drain(10);
  expect(lines).toMatchObject([{ level: 50, left: 2 }]);
  open();
  await tasks.drain();
  expect(second).toBe(false);
});

describe("work that others began", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** Who waits a second for it. */
  function waiting(tasks: BackgroundTasks) {
    const { opened, open } = gate();
    const waiter = { isDone: false, open };
    const ended = tasks.waitFor(opened, 1_000).then(() => {
      waiter.isDone = true;
    });
    return Object.assign(waiter, { ended });
  }

  test("is waited for until it is done", async () => {
    const waiter = waiting(new BackgroundTasks(logged().log));
    await vi.advanceTimersByTimeAsync(999);
    expect(waiter.isDone).toBe(false);
    waiter.open();
    await waiter.ended;
    expect(vi.getTimerCount()).toBe(0);
  });

  test("or for so long, and by drain to its end", async () => {
    const tasks = new BackgroundTasks(logged().log);
    const waiter = waiting(tasks);
    await vi.advanceTimersByTimeAsync(1_000);
    await waiter.ended;
    const drained = tasks.drain().then(() => "drained");
    expect(await Promise.race([drained, setImmediate("waiting")])).toBe("waiting");
    waiter.open();
    expect(await drained).toBe("drained");
  });

  test("to its end where as much goes on as may", async () => {
    const tasks = new BackgroundTasks(logged().log, { atOnce: 1, waiting: 1 });
    const [first, second] = [waiting(tasks), waiting(tasks)];
    await vi.advanceTimersByTimeAsync(60_000);
    await first.ended;
    expect(second.isDone).toBe(false);
    second.open();
    await second.ended;
    const third = waiting(tasks);
    first.open();
    third.open();
    await tasks.drain();
  });
});
