import { once } from "node:events";
import { promises } from "node:fs";
import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { discard, receiveFile } from "#runtime/modules/storage/incoming/receive-file";
import { replaceOnDisk, testFolder } from "../../../../support/stores.ts";

const folder = await testFolder();
const { open } = promises;
/** What each file that is opened does instead of writing. */
let write: FileHandle["writev"] | null = null;
let opened: FileHandle | null = null;

beforeEach(() => {
  [write, opened] = [null, null];
  replaceOnDisk({
    open: async (...words) => {
      const file = await open(...words);
      if (write !== null) file.writev = write;
      opened = file;
      return file;
    },
  });
});
afterEach(() => void vi.useRealTimers());

test("a disk that does not answer is a failure of the provider after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let finish: (() => void) | null = null;
  write = () =>
    new Promise((_, reject) => {
      finish = () => reject(new Error("too late"));
    });
  const receiving = receiveFile(Readable.from(["x"]), { folder, limit: 10 });
  const outcome = receiving.catch((error: unknown) => error);
  const end = await vi.waitUntil(() => finish);
  // One for the write, one for the file that is not closed before.
  await vi.advanceTimersByTimeAsync(29_000);
  await vi.advanceTimersByTimeAsync(32_000);
  expect(await outcome).toMatchObject({
    code: "STORAGE_ERROR",
    cause: { message: expect.stringContaining("not answered") },
  });
  expect(await readdir(folder)).toEqual([]);
  expect(opened?.fd).toBeGreaterThan(0);
  end();
  await vi.waitUntil(() => opened?.fd === -1);
});

test("a file is not closed while it is being written", async () => {
  let finish: (() => void) | null = null;
  write = () =>
    new Promise((_, reject) => {
      finish = () => reject(new Error("too late"));
    });
  const stream = new PassThrough();
  stream.write(Buffer.alloc(300_000));
  const receiving = receiveFile(stream, { folder, limit: 300_000 });
  const outcome = receiving.catch((error: unknown) => error);
  const end = await vi.waitUntil(() => finish);
  stream.destroy(new Error("gone"));
  await new Promise(setImmediate);
  expect(await readdir(folder)).toHaveLength(1);
  end();
  expect(await outcome).toMatchObject({ message: "gone" });
  expect(await readdir(folder)).toEqual([]);
});

test("a disk that takes parts gets the rest", async () => {
  const written: Buffer[] = [];
  write = async (buffers) => {
    const all = Buffer.concat(
      buffers.map((view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength)),
    );
    const part = all.subarray(0, 7);
    written.push(Buffer.from(part));
    return { bytesWritten: part.length, buffers };
  };
  const content = Buffer.from("chunks that are longer than seven bytes");
  const chunks = [content.subarray(0, 3), content.subarray(3, 20), content.subarray(20)];
  const file = await receiveFile(Readable.from(chunks), { folder, limit: 100 });
  expect(Buffer.concat(written)).toEqual(content);
  await discard(file.path);
});

test("a file that is opened too late is closed, and left to the purge", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let finish: (() => void) | null = null;
  replaceOnDisk({
    open: async (...words) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      opened = await open(...words);
      return opened;
    },
  });
  const outcome = receiveFile(Readable.from(["x"]), { folder, limit: 10 }).catch((error: unknown) => error);
  const end = await vi.waitUntil(() => finish);
  await vi.advanceTimersByTimeAsync(31_000);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await outcome).toMatchObject({ code: "STORAGE_ERROR" });
  end();
  await vi.waitUntil(() => opened?.fd === -1);
  for (const name of await readdir(folder)) await discard(join(folder, name));
});

test("small pieces are written together, and a client that sends single bytes does not fill the memory", async () => {
  const calls: number[] = [];
  write = async (buffers) => {
    const sizes = buffers.map(({ byteLength }) => byteLength);
    calls.push(sizes.length);
    return { bytesWritten: sizes.reduce((sum, size) => sum + size, 0), buffers };
  };
  await discard((await receiveFile(Readable.from(pieces(16, 62_500)), { folder, limit: 1_000_000 })).path);
  expect(calls.length).toBeLessThanOrEqual(4);
  calls.length = 0;
  opened = null;
  await discard((await receiveFile(Readable.from(oneByOne()), { folder, limit: 1000 })).path);
  expect(Math.max(...calls)).toBeLessThanOrEqual(64);
});

test("a stream is asked to wait while the disk is busy", async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const receiving = receiveFile(stream, { folder, limit: 100_000_000 });
  let most = 0;
  for (let at = 0; at < 200; at++) {
    if (!stream.write(Buffer.alloc(65_536))) await once(stream, "drain");
    most = Math.max(most, stream.writableLength + stream.readableLength);
  }
  stream.end();
  expect((await receiving).size).toBe(200 * 65_536);
  expect(most).toBeLessThan(4 * 65_536);
});

const pieces = (count: number, size: number) => Array.from({ length: count }, () => Buffer.alloc(size));

async function* oneByOne() {
  await vi.waitUntil(() => opened);
  for (const piece of pieces(500, 1)) {
    yield piece;
    await new Promise(setImmediate);
  }
}
