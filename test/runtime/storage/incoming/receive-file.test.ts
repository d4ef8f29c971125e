import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { discard, receiveData, receiveFile } from "#runtime/storage/incoming/receive-file";

const root = await mkdtemp(join(tmpdir(), "receive-file-"));
const folder = join(root, "deep", "staging");
const options = { folder, limit: 1_000_000 };

beforeEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => rm(root, { recursive: true }));

const left = async () => (existsSync(folder) ? readdir(folder) : []);

describe("a stream", () => {
  test.each([0, 1, 65_536, 700_001, 1_000_000])("of %i bytes becomes a file", async (size) => {
    const content = Buffer.alloc(size, "some text ");
    const chunks = Array.from({ length: Math.ceil(size / 9_999) }, (_, at) =>
      content.subarray(at * 9_999, (at + 1) * 9_999),
    );
    const file = await receiveFile(Readable.from(chunks, { objectMode: false }), options);
    expect(file).toMatchObject({ size, kind: { magic: null, isText: true } });
    expect(await readFile(file.path)).toEqual(content);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    await discard(file.path);
    expect(await left()).toEqual([]);
  });

  test("over the limit leaves nothing, and is not read to its end", async () => {
    let chunks = 0;
    const endless = new Readable({
      read() {
        chunks++;
        this.push(Buffer.alloc(65_536));
      },
    });
    await expect(receiveFile(endless, options)).rejects.toMatchObject({ code: "HTTP_ERROR", status: 413 });
    expect(chunks).toBeLessThan(40);
    expect(endless.destroyed).toBe(true);
    expect(await left()).toEqual([]);
  });

  test("is asked to wait while the disk is busy", async () => {
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
});

describe("a disk", () => {
  test("without room is a failure of the provider", async () => {
    const file = join(root, "no folder");
    await writeFile(file, "");
    const receiving = receiveFile(Readable.from(["x"]), { folder: file, limit: 1 });
    await expect(receiving).rejects.toMatchObject({ code: "STORAGE_ERROR", cause: { code: "ENOTDIR" } });
  });
});

describe("what code hands over", () => {
  test.each<[string, () => Readable]>([
    ["objects", () => Readable.from([{ a: 1 }])],
    ["numbers", () => Readable.from(["a", 1])],
  ])("a stream of %s is refused, and leaves nothing", async (_, data) => {
    await expect(receiveData(data(), options)).rejects.toThrow(TypeError);
    expect(await left()).toEqual([]);
  });
});
