import { promises as disk } from "node:fs";
import { type FileHandle, mkdtemp, readdir, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { discard, receiveFile } from "../../../../runtime/storage/incoming/receive-file.ts";

const folder = await mkdtemp(join(tmpdir(), "stuck-disk-"));
const { open } = disk;
/** What each file that is opened does in place of writing. */
let write: FileHandle["writev"] | null = null;

beforeEach(() => {
  disk.open = async (...words) => {
    const file = await open(...words);
    if (write !== null) file.writev = write;
    return file;
  };
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.useRealTimers();
  disk.open = open;
  syncBuiltinESMExports();
});
afterAll(() => rm(folder, { recursive: true }));

test("a disk that never answers is a failure of the provider after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isAsked = false;
  write = () => {
    isAsked = true;
    return new Promise(() => {});
  };
  const receiving = receiveFile(Readable.from(["x"]), { folder, limit: 10 });
  const outcome = receiving.catch((error: unknown) => error);
  await vi.waitFor(() => expect(isAsked).toBe(true));
  // One for the write, one for the file that is not closed before.
  await vi.advanceTimersByTimeAsync(29_000);
  await vi.advanceTimersByTimeAsync(32_000);
  expect(await outcome).toMatchObject({
    code: "STORAGE_ERROR",
    cause: { message: expect.stringContaining("not answered") },
  });
  expect(await readdir(folder)).toEqual([]);
});

test("a file is not closed while it is being written", async () => {
  let finish: (() => void) | null = null;
  write = () =>
    new Promise((_, reject) => {
      finish = () => reject(new Error("too late"));
    });
  const stream = new PassThrough();
  stream.write("x");
  const receiving = receiveFile(stream, { folder, limit: 10 });
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
