import { connect, createServer as createTcpServer } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import type { LogShipping as ShippingSettings } from "#runtime/core/config/index";
import { LogCapture } from "#runtime/modules/monitoring/index";
import { LogShipping, type Pause } from "#runtime/modules/monitoring/logs/log-shipping";
import { createLog } from "#runtime/process/log";
import { testCollector } from "../../../../support/collector.ts";
import { eventually } from "../../../../support/eventually.ts";
import { freePort } from "../../../../support/free-port.ts";

interface Given extends Partial<ShippingSettings> {
  readonly url: string;
  readonly queueSize?: number;
  /** null: the system's clock. */
  readonly pause?: Pause | null;
  readonly timeoutMs?: number;
}

/** A log whose lines are shipped. */
function shippingLog({ queueSize = 1_000, pause = atOnce, timeoutMs = 10_000, ...given }: Given) {
  const settings = { level: "warn", batchSize: 100, secret: null, ...given } as const;
  const printed: string[] = [];
  const capture = new LogCapture({ level: "warn", queueSize, shipping: settings }, "shop");
  const log = createLog("shop", "info", { write: (line) => printed.push(line) }, capture);
  const queue = capture.toShip;
  if (queue === null) throw new Error("there is a collector");
  const begin = () => {
    const shipping = new LogShipping({ settings, queue, log, timeoutMs, ...(pause && { pause }) });
    onTestFinished(() => shipping.close(0));
    return shipping;
  };
  const own = () => printed.map((line) => JSON.parse(line)).filter(({ msg }) => /collector/.test(msg));
  return { log, queue, begin, own, capture };
}

/** Pauses that are over as soon as all else had its turn. */
const atOnce: Pause = () => new Promise((resolve) => setImmediate(resolve));

/** Pauses that end on the test's command, or when the signal aborts. */
function held() {
  const lengths: number[] = [];
  const ends: (() => void)[] = [];
  const pause: Pause = (ms, signal) => {
    lengths.push(ms);
    return new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve());
      ends.push(resolve);
    });
  };
  return { pause, lengths, next: () => ends.shift()?.() };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

test("without a secret nothing is shown to the collector", async () => {
  const collector = await testCollector();
  const { log, begin } = shippingLog({ url: collector.url });
  begin();
  log.warn("late");
  await eventually(() => expect(collector.messages()).toEqual(["late"]));
  expect(collector.batches[0]?.headers).not.toHaveProperty("authorization");
});

test("lines that were captured before shipping began are sent too, in batches and in order", async () => {
  const collector = await testCollector();
  const { log, begin } = shippingLog({ url: collector.url, batchSize: 10 });
  for (const number of numbers(1, 35)) log.warn(number);
  begin();
  await eventually(() => expect(collector.messages()).toEqual(numbers(1, 35)));
  expect(collector.batches.map(({ logs }) => logs.length)).toEqual([10, 10, 10, 5]);
});

test("records wait a second for others, and no longer once a batch is full", async () => {
  const collector = await testCollector();
  const { pause, lengths, next } = held();
  const { log, begin } = shippingLog({ url: collector.url, batchSize: 3, pause });
  begin();
  log.warn("1");
  log.warn("2");
  await eventually(() => expect(lengths).toEqual([1_000]));
  next();
  await eventually(() => expect(collector.messages()).toEqual(["1", "2"]));
  for (const number of numbers(3, 5)) log.warn(number);
  await eventually(() => expect(collector.messages()).toEqual(numbers(1, 5)));
  expect(collector.batches.map(({ logs }) => logs.length)).toEqual([2, 3]);
});

test("a collector that is down for an hour: growing pauses, one warning, the newest are kept, and the end is logged", async () => {
  const collector = await testCollector();
  const port = await freePort();
  let elapsedMs = 0;
  const lengths: number[] = [];
  const url = `http://127.0.0.1:${port}/logs`;
  // A minute more of it with each pause: the collector answers once an hour is over.
  const { log, begin, own, queue } = shippingLog({
    url,
    queueSize: 50,
    batchSize: 20,
    pause: (ms, signal) => {
      lengths.push(ms);
      elapsedMs += ms;
      for (let i = 0; i < 5; i++) log.warn(`at ${elapsedMs / 1_000} s, ${i}`);
      if (elapsedMs >= 3_600_000) isBack.begin();
      return atOnce(ms, signal);
    },
  });
  const isBack = relay(port, collector.url);
  log.warn("the first");
  begin();
  await eventually(() => expect(queue.depth).toBe(0));
  const waits = lengths.slice(1, -1);
  expect(waits.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(Math.max(...lengths)).toBe(60_000);
  expect(lengths.length).toBeLessThan(75);
  const messages = collector.messages();
  expect(queue.dropped + messages.length).toBe(lengths.length * 5 + 1);
  expect(messages.length).toBeGreaterThanOrEqual(50);
  expect(messages).not.toContain("the first");
  expect(messages.filter((message) => /collector/.test(message))).toEqual([]);
  expect(own()).toMatchObject([
    { level: 40, msg: expect.stringContaining("is failing"), reason: "ECONNREFUSED" },
    { level: 30, msg: "the log collector accepts records again", dropped: queue.dropped },
  ]);
});

/** Once it has begun, what comes to the port goes to the collector. */
function relay(port: number, target: string) {
  let hasBegun = false;
  return {
    begin() {
      if (hasBegun) return;
      hasBegun = true;
      const to = new URL(target);
      const server = createTcpServer((socket) => {
        const peer = connect(Number(to.port), to.hostname);
        socket.pipe(peer).pipe(socket);
        for (const one of [socket, peer]) one.on("error", () => socket.destroy());
      }).listen(port, "127.0.0.1");
      onTestFinished(() => void server.close());
    },
  };
}

test.each([301, 307, 401, 403, 404, 408, 429, 500, 503])(
  "a batch that was answered with %i is sent again",
  async (status) => {
    const collector = await testCollector();
    collector.react = ({ path }) => (path === "/logs" && collector.batches.length < 3 ? status : 200);
    const { log, begin, own, queue } = shippingLog({ url: collector.url });
    begin();
    log.warn("late");
    await eventually(() => expect(collector.messages()).toEqual(["late"]));
    expect(collector.batches.map(({ path }) => path)).toEqual(["/logs", "/logs", "/logs"]);
    expect(queue.dropped).toBe(0);
    expect(own()[0]).toMatchObject({ reason: `it responded with ${status}` });
    await eventually(() => expect(own()).toHaveLength(2));
  },
);

test.each([400, 415, 422])(
  "a batch that is refused with %i is dropped, counted and told once",
  async (status) => {
    const collector = await testCollector();
    collector.react = ({ logs }) => (logs.some(({ message }) => message === "poison") ? status : 200);
    const { log, begin, own, queue } = shippingLog({ url: collector.url, batchSize: 2 });
    for (const message of ["1", "2", "poison", "4", "poison", "6", "7"]) log.warn(message);
    begin();
    await eventually(() => expect(collector.messages()).toEqual(["1", "2", "7"]));
    expect(queue.dropped).toBe(4);
    expect(own()).toMatchObject([{ msg: expect.stringContaining("rejects records") }]);
  },
);

test("a body that is too large is sent in parts; a single record that is too large is dropped", async () => {
  const collector = await testCollector();
  collector.react = ({ length }) => (length > 5_000 ? 413 : 200);
  const { log, begin, own, queue } = shippingLog({ url: collector.url });
  for (const number of numbers(1, 40)) log.warn(number);
  log.warn("x".repeat(6_000));
  for (const number of numbers(41, 60)) log.warn(number);
  begin();
  await eventually(() => expect(collector.messages()).toEqual(numbers(1, 60)));
  expect(queue.dropped).toBe(1);
  expect(own()).toHaveLength(1);
});

test("a collector that hangs is given up, and logging goes on meanwhile", async () => {
  const collector = await testCollector();
  collector.react = () => (collector.batches.length === 1 ? () => {} : 200);
  const { log, begin, own, queue } = shippingLog({
    url: collector.url,
    queueSize: 10,
    batchSize: 4,
    timeoutMs: 500,
  });
  for (const number of numbers(1, 4)) log.warn(number);
  begin();
  await eventually(() => expect(collector.batches).toHaveLength(1));
  // What ends the wait must outlive it.
  collectGarbage();
  for (const number of numbers(5, 20)) log.warn(number);
  await eventually(() => expect(collector.messages()).toEqual(numbers(11, 20)));
  expect(queue).toMatchObject({ dropped: 10 });
  expect(own()[0]).toMatchObject({ reason: "no answer in time" });
});

test("an endless response is aborted", async () => {
  const collector = await testCollector();
  const endless = (response: {
    write(text: string): boolean;
    on(event: "drain", more: () => void): unknown;
  }) => {
    const more = () => {
      while (response.write("more and more ".repeat(1_000)));
    };
    response.on("drain", more);
    more();
  };
  collector.react = () => (collector.batches.length === 1 ? endless : 200);
  const { log, begin } = shippingLog({ url: collector.url, batchSize: 1 });
  begin();
  log.warn("1");
  log.warn("2");
  await eventually(() => expect(collector.messages()).toEqual(["2"]));
});

test("at shutdown one more attempt is made during any pause", async () => {
  const collector = await testCollector();
  collector.react = () => (collector.batches.length === 1 ? 503 : 200);
  const { log, begin, queue } = shippingLog({ url: collector.url, batchSize: 2, pause: null });
  const shipping = begin();
  log.warn("1");
  log.warn("2");
  await eventually(() => expect(collector.batches).toHaveLength(1));
  for (const number of numbers(3, 5)) log.warn(number);
  await shipping.close(10_000);
  expect(collector.messages()).toEqual(numbers(1, 5));
  expect(queue.depth).toBe(0);
  log.warn("after the end");
  expect(collector.batches).toHaveLength(4);
});

test("the end waits for records that have just come, and not for a collector that hangs or is down", async () => {
  const collector = await testCollector();
  const first = shippingLog({ url: collector.url, pause: null });
  const shipping = first.begin();
  first.log.warn("just now");
  await shipping.close(10_000);
  expect(collector.messages()).toEqual(["just now"]);

  collector.react = () => () => {};
  const second = shippingLog({ url: collector.url, pause: null });
  const hanging = second.begin();
  second.log.warn("one more line");
  await hanging.close(50);
  expect(second.own()).toEqual([]);

  const third = shippingLog({ url: `http://127.0.0.1:${await freePort()}/`, pause: null });
  const down = third.begin();
  third.log.warn("the port is closed");
  await down.close(10_000);
  expect(third.queue.depth).toBe(1);
});

test.each(["https://", "http://user:pass@127.0.0.1:1/", "http://[::1", "http://no-such-host.invalid/"])(
  "an address that leads nowhere is an outage like others: %s",
  async (url) => {
    const { pause } = held();
    const { log, begin, own } = shippingLog({ url, batchSize: 1, pause });
    begin();
    log.warn("1");
    await eventually(() => expect(own()).toHaveLength(1));
    expect(JSON.stringify(own())).not.toContain("pass");
  },
);
