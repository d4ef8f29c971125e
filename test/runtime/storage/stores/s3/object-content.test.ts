import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { objectContent } from "#runtime/storage/stores/s3/object";

const idleMs = 30_000;

// Streams go on by turns of the process, which are not among them.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

async function passes(ms: number): Promise<void> {
  await turn();
  await vi.advanceTimersByTimeAsync(ms);
  await turn();
  await turn();
}

test("S3 may be slow, where it moves", async () => {
  const body = new PassThrough();
  const read = text(objectContent(body, 10, idleMs));
  for (let digit = 0; digit < 10; digit += 1) {
    body.write(`${digit}`);
    await passes(idleMs - 1);
  }
  body.end();
  expect(await read).toBe("0123456789");
});

test("S3 may not be silent while somebody waits for it", async () => {
  const body = new PassThrough();
  const read = text(objectContent(body, 10, idleMs)).catch((error: unknown) => error);
  body.write("01234");
  await passes(idleMs - 1);
  expect(body.destroyed).toBe(false);
  await passes(1);
  expect(await read).toMatchObject({ name: "ProviderSilence" });
  expect(body.destroyed).toBe(true);
});

test("a reader may be as slow as he likes", async () => {
  const body = new PassThrough();
  const content = objectContent(body, 10, idleMs);
  body.write("01234");
  for (let round = 0; round < 5; round += 1) await passes(idleMs);
  expect(content.destroyed).toBe(false);
  const read = text(content);
  body.end("56789");
  expect(await read).toBe("0123456789");
});
