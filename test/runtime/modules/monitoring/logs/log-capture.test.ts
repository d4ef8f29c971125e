import type { Logger } from "pino";
import { describe, expect, test } from "vitest";
import type { LogLevel, MonitoringSettings } from "#runtime/core/config/index";
import { LogCapture } from "#runtime/modules/monitoring/index";
import { withoutShipping } from "#runtime/modules/monitoring/logs/log-capture";
import type { LogRecord } from "#runtime/modules/monitoring/records/monitoring-records";
import { atAnyLevel, createLog, flushLog } from "#runtime/process/log";

type LogSettings = MonitoringSettings["logs"];

/** A captured log: the printed and the stored lines. */
function captured(level: LogLevel, settings: Partial<LogSettings> = {}) {
  const printed: string[] = [];
  const capture = new LogCapture({ level: "warn", queueSize: 100, shipping: null, ...settings }, "shop");
  const log = createLog("shop", level, { write: (line) => printed.push(line) }, capture);
  const messages = () => printed.map((line) => JSON.parse(line).msg);
  return { log, printed, messages, capture, kept: () => capture.toStore.take(100) };
}

const shipping = { url: "http://127.0.0.1:1/", level: "error", batchSize: 10, secret: null } as const;

/** One line of each level, named after it. */
function allLevels(log: Logger): void {
  for (const level of ["trace", "debug", "info", "warn", "error", "fatal"] as const) log[level](level);
}

const messagesOf = (records: readonly LogRecord[]) => records.map(({ message }) => message);
const order = ["trace", "debug", "info", "warn", "error", "fatal"] as const;
const from = (level: LogLevel) => (level === "silent" ? [] : order.slice(order.indexOf(level)));

describe("printed and stored lines have a level each", () => {
  const pairs = (["trace", "info", "warn", "error", "fatal", "silent"] as const).flatMap((level) =>
    (["debug", "info", "warn", "error", "fatal"] as const).map((kept) => [level, kept] as const),
  );

  test.each(pairs)("log level %s, capture level %s", (level, captureLevel) => {
    const { log, messages, kept } = captured(level, { level: captureLevel });
    allLevels(log.child({ request_id: "a" }).child({ model: "books" }));
    expect(messages()).toEqual(from(level));
    expect(messagesOf(kept())).toEqual(from(captureLevel));
  });

  test.each(pairs)("lines that ignore the log level, at %s and %s", (level, captureLevel) => {
    const { log, messages, kept } = captured(level, { level: captureLevel });
    atAnyLevel(log).child({ more: 1 }).info("listening on");
    atAnyLevel(log, "fatal").fatal("crashed");
    expect(messages()).toEqual(["listening on", "crashed"]);
    expect(messagesOf(kept())).toEqual(
      from(captureLevel).includes("info") ? ["listening on", "crashed"] : ["crashed"],
    );
  });

  test("a level that the app sets itself stays", () => {
    const { log, messages } = captured("error");
    log.child({}, { level: "debug" }).debug("a child's own");
    log.warn("hidden");
    log.level = "info";
    log.info("from now on");
    expect(messages()).toEqual(["a child's own", "from now on"]);
  });
});

test("a record has the time, level, message and request id of its line, and all else as fields", () => {
  const { log, printed, kept } = captured("info");
  log.child({ request_id: "r-1", model: "books" }).warn({ count: 2, name: "Harry" }, "late");
  const [record] = kept();
  expect(record).toEqual({
    at: JSON.parse(printed[0] ?? "").time,
    level: "warn",
    message: "late",
    requestId: "r-1",
    fields: JSON.stringify({ name: "Harry", model: "books", count: 2 }),
  });
});

test("an error is in the fields, with its stack and cause", () => {
  const { log, kept } = captured("info");
  log.error({ err: new Error("lost", { cause: new Error("cut") }) }, "no answer");
  log.error(new Error("no fields"));
  const [first, second] = kept();
  expect(JSON.parse(first?.fields ?? "")).toMatchObject({ err: { type: "Error", message: "lost: cut" } });
  expect(JSON.parse(first?.fields ?? "").err.stack).toContain("caused by: Error: cut");
  expect(second).toMatchObject({ message: "no fields", level: "error", requestId: null });
});

test("stored lines are masked", () => {
  const { log, kept } = captured("silent");
  log.warn({ password: "hunter2", to: "bob@example.org" }, "mail to ann@example.org");
  expect(kept()).toMatchObject([
    { message: "mail to [masked]", fields: JSON.stringify({ password: "[masked]", to: "[masked]" }) },
  ]);
});

test.each([
  ["a long text", { text: "x".repeat(100_000), after: 1 }],
  ["many fields", Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key${i}`, i]))],
  ["long keys", { ["k".repeat(50_000)]: 1, short: 2 }],
  ["a long list", { list: Array.from({ length: 90 }, () => "y".repeat(1_000)), after: 1 }],
  ["depth", { a: { b: { c: { d: "z".repeat(60_000) } } }, after: 1 }],
  ["what grows when it is escaped", { text: "\u0001".repeat(40_000), after: 1 }],
])("fields are bounded, and say so: %s", (_, fields) => {
  const { log, kept } = captured("info");
  log.warn(fields, "m".repeat(20_000));
  const [record] = kept();
  expect(record?.fields.length).toBeLessThanOrEqual(16_384);
  expect(record?.fields).toContain("[truncated");
  expect(() => JSON.parse(record?.fields ?? "")).not.toThrow();
  expect(record?.message).toMatch(/^m{8000}… \[truncated: 20000 characters\]$/);
});

test.each([
  [{ request_id: 7 }, { requestId: null, fields: '{"request_id":7}' }],
  [{ request_id: "x".repeat(200) }, { requestId: null }],
  [{ time: "noon" }, { at: expect.any(Number), fields: '{"time":"noon"}' }],
  [{ time: 1e300 }, { at: expect.any(Number), fields: '{"time":1e+300}' }],
  [{ level: "high" }, { level: "warn", fields: '{"level":"high"}' }],
  [{ msg: { a: 1 } }, { message: '{"a":1}' }],
  [{ __proto__: 1, toJSON: undefined, n: Number.NaN, big: 1n }, { message: "" }],
])("a line that has its own idea of the log's fields is a record as well: %o", (fields, expected) => {
  const { log, kept, capture } = captured("info");
  log.warn(fields);
  expect(kept()).toMatchObject([expected]);
  expect(capture.toStore.dropped).toBe(0);
});

test("a line that cannot be parsed is counted, and the logging code gets no error", () => {
  const { log, capture } = captured("info");
  capture.keep("no JSON", 40, log);
  expect(capture.toStore).toMatchObject({ depth: 0, dropped: 1 });
});

test("errors go to the collector too, except lines of log shipping itself", () => {
  const { log, capture } = captured("info", { shipping });
  log.warn("stored");
  log.error("both");
  withoutShipping(log).child({}).error("stored too");
  expect(messagesOf(capture.toStore.take(100))).toEqual(["stored", "both", "stored too"]);
  expect(messagesOf(capture.toShip?.take(100) ?? [])).toEqual(["both"]);
});

test("a queue that is full keeps the oldest for the store, and the newest for the collector", () => {
  const { log, capture } = captured("info", { queueSize: 3, shipping });
  for (let i = 1; i <= 10; i++) log.error(String(i));
  expect(capture.toStore).toMatchObject({ dropped: 7, depth: 3 });
  expect(messagesOf(capture.toStore.take(100))).toEqual(["1", "2", "3"]);
  expect(capture.toShip).toMatchObject({ dropped: 7, depth: 3 });
  expect(messagesOf(capture.toShip?.take(100) ?? [])).toEqual(["8", "9", "10"]);
});

test("flushing flushes the destination", async () => {
  let flushed = 0;
  const output = {
    write() {},
    flush(done: () => void) {
      flushed++;
      done();
    },
    flushSync() {
      flushed++;
    },
  };
  const capture = new LogCapture({ level: "warn", queueSize: 9, shipping: null }, "shop");
  const log = createLog("shop", "info", output, capture);
  await flushLog(log);
  log.fatal("the end");
  expect(flushed).toBe(2);
  await flushLog(captured("info").log);
});
