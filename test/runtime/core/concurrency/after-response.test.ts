import pino from "pino";
import { expect, test } from "vitest";
import { AfterResponse, BackgroundTasks } from "#runtime/core/concurrency/index";

function setUp() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const background = new BackgroundTasks(log, { atOnce: 1, waiting: 1 });
  return { lines, log, background, later: new AfterResponse(background), done: [] as string[] };
}

/** A gate that work waits at. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test("nothing begins before the response is sent; then each in turn, in order, and added work last", async () => {
  const { later, log, background, done } = setUp();
  const { opened, open } = gate();
  later.add(async () => {
    done.push("first begins");
    later.add(() => done.push("third"), log);
    await opened;
    done.push("first ends");
  }, log);
  later.add(() => done.push("second"), log);
  await new Promise(setImmediate);
  expect(done).toEqual([]);
  const begun = later.begin(false);
  expect(done).toEqual(["first begins"]);
  open();
  await begun;
  expect(done).toEqual(["first begins", "first ends", "second", "third"]);
  later.add(() => done.push("fourth"), log);
  await background.drain();
  expect(done.at(-1)).toBe("fourth");
});

test("a failure is one line of the log that it came with, and the next work is done", async () => {
  const { later, log, lines, done } = setUp();
  const own = log.child({ request_id: "r-1" });
  later.add(() => {
    throw new Error("at once");
  }, own);
  later.add(() => Promise.reject(new Error("not now")), own);
  later.add(() => done.push("fine"), own);
  await later.begin(false);
  expect(done).toEqual(["fine"]);
  expect(lines).toMatchObject([
    { level: 50, request_id: "r-1", err: { message: "at once" } },
    { level: 50, request_id: "r-1", err: { message: "not now" } },
  ]);
  expect(lines).toHaveLength(2);
});

test("after a failure only the unconditional work follows", async () => {
  const { later, log, background, done } = setUp();
  later.addUnlessFailed(() => done.push("read"), log);
  later.add(() => done.push("committed"), log);
  await later.begin(true);
  expect(done).toEqual(["committed"]);
  const read = new AfterResponse(background);
  read.addUnlessFailed(() => done.push("never"), log);
  await read.begin(true);
  await background.drain();
  expect(done).toEqual(["committed"]);
});

test("after a caught failure of a part only its unconditional work follows", async () => {
  const { later, log, done } = setUp();
  const name = (called: string) => () => done.push(called);
  later.addUnlessFailed(name("before"), log);
  await later.within(async (part) => part.addUnlessFailed(name("a part"), log));
  const failing = later.within(async (part) => {
    part.addUnlessFailed(name("failed"), log);
    await part.within(async (inner) => inner.addUnlessFailed(name("within"), log));
    part.add(name("committed"), log);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  later.addUnlessFailed(name("after"), log);
  await later.begin(false);
  expect(done).toEqual(["before", "a part", "committed", "after"]);
});

test("drain waits from the moment of the request, next to other waiting work, and drops nothing", async () => {
  const { log, background, done } = setUp();
  const requests = Array.from({ length: 50 }, () => new AfterResponse(background));
  for (const [index, later] of requests.entries()) later.add(async () => void done.push(`${index}`), log);
  let isOver = false;
  const drained = background.drain().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  for (const later of requests) void later.begin(false);
  await drained;
  expect(done).toHaveLength(50);
});

test("at the deadline the remaining work is given up, and logged", async () => {
  const { later, log, lines, background } = setUp();
  later.add(() => new Promise(() => {}), log);
  void later.begin(false);
  await background.drain(1);
  expect(lines).toMatchObject([
    { level: 50, left: 1, msg: "background work abandoned: it did not end in time" },
  ]);
});
