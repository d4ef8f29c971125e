import { once } from "node:events";
import { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServiceError } from "#runtime/errors/index";
import { feedBody } from "#runtime/storage/http/feed-body";
import { type Application, requestHead, serveApplication } from "../../../support/application.ts";

let application: Application;
let target: Writable;
let taken: (() => void)[];
let isAtWork: boolean;
let failures: Error[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  [taken, failures] = [[], []];
  isAtWork = false;
  target = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void taken.push(done) });
  application = await serveApplication((app) => {
    app.post("/", (request) => {
      const tooLarge = () => new ServiceError("HTTP_ERROR", "too large", undefined, { status: 413 });
      const stop = feedBody(request, target, {
        limit: 2000,
        tooLarge,
        isAtWork: () => isAtWork,
        fail: (error) => {
          failures.push(error);
          stop();
        },
      });
    });
  });
});
afterEach(() => void vi.useRealTimers());

const statuses = () =>
  failures.map((error) => (error instanceof ServiceError ? error.status : error.message));

test("time in which nobody reads does not count", async () => {
  const socket = await application.open();
  socket.write(requestHead("POST /", "Content-Length: 1500"));
  socket.write("x".repeat(1000));
  await vi.waitUntil(() => taken.length === 1);
  vi.advanceTimersByTime(3_600_000);
  expect(statuses()).toEqual([]);
  const drained = once(target, "drain");
  taken[0]?.();
  await drained;
  vi.advanceTimersByTime(29_000);
  expect(statuses()).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(statuses()).toEqual([408]);
  vi.advanceTimersByTime(100_000);
  expect(statuses()).toEqual([408]);
});

test("a body that comes in at less than 4 KiB a second fails after 30 seconds, and not before", async () => {
  const socket = await application.open();
  socket.write(requestHead("POST /", "Content-Length: 2000"));
  const send = async () => {
    socket.write("x");
    await vi.waitUntil(() => taken.length === 1);
    const drained = once(target, "drain");
    taken.pop()?.();
    await drained;
  };
  await send();
  vi.advanceTimersByTime(20_000);
  await send();
  vi.advanceTimersByTime(9_000);
  expect(statuses()).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(statuses()).toEqual([408]);
});

test("a body that is too long fails, however it is sent", async () => {
  const socket = await application.open();
  socket.write(requestHead("POST /", "Transfer-Encoding: chunked"));
  socket.write(`7d1\r\n${"x".repeat(2001)}\r\n`);
  await vi.waitUntil(() => {
    for (const done of taken.splice(0)) done();
    return failures.length === 1;
  });
  expect(statuses()).toEqual([413]);
});

test("a client that leaves fails", async () => {
  const socket = await application.open();
  socket.write(requestHead("POST /", "Content-Length: 1500"));
  socket.write("x");
  await vi.waitUntil(() => taken.length === 1);
  socket.destroy();
  await vi.waitUntil(() => failures.length === 1);
  expect(failures[0]?.message).toBe("The request was cut off.");
});

test("a whole body is handed over with its end", async () => {
  const socket = await application.open();
  socket.write(requestHead("POST /", "Content-Length: 5"));
  socket.write("hello");
  await vi.waitUntil(() => taken.length === 1);
  const finished = once(target, "finish");
  taken[0]?.();
  await finished;
  vi.advanceTimersByTime(100_000);
  expect(statuses()).toEqual([]);
});

test("whoever takes it apart and comes to no end fails after the same time", async () => {
  target._final = () => {};
  const socket = await application.open();
  socket.write(requestHead("POST /", "Content-Length: 5"));
  socket.write("hello");
  await vi.waitUntil(() => taken.length === 1);
  taken[0]?.();
  await vi.waitUntil(() => target.writableEnded);
  vi.advanceTimersByTime(29_000);
  expect(statuses()).toEqual([]);
  vi.advanceTimersByTime(2_000);
  expect(statuses()).toEqual(["the parser waits for more"]);
});

test("whoever still works on what was taken is waited for", async () => {
  target._final = () => {};
  isAtWork = true;
  const socket = await application.open();
  socket.write(requestHead("POST /", "Content-Length: 5"));
  socket.write("hello");
  await vi.waitUntil(() => taken.length === 1);
  taken[0]?.();
  await vi.waitUntil(() => target.writableEnded);
  vi.advanceTimersByTime(3_600_000);
  expect(statuses()).toEqual([]);
  isAtWork = false;
  vi.advanceTimersByTime(31_000);
  expect(statuses()).toEqual(["the parser waits for more"]);
});
