import { truncate } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import express from "express";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { answerError, limitFinishedResponses, requestContext } from "#runtime/core/http/index";
import { localFilesRoute } from "#runtime/modules/storage/http/local-files-route";
import type { ServedStore } from "#runtime/modules/storage/stores/file-store";
import { listen } from "#runtime/process/http-lifecycle";
import { sendRequest } from "../../../../support/request.ts";
import { localUnderTest } from "../../../../support/stores.ts";

type ReadableStore = Pick<ServedStore, "head" | "get">;

/** Only the route, on a store that misbehaves. Everything is public. */
async function serve(store: ReadableStore) {
  const log: Record<string, unknown>[] = [];
  const app = express();
  limitFinishedResponses(app);
  app.use(requestContext(pino({}, { write: (line: string) => void log.push(JSON.parse(line)) })));
  const links = { accepts: () => false };
  const read = { head: store.head.bind(store), get: store.get.bind(store) };
  app.use(localFilesRoute({ ...read, links }, ["a/"]), answerError);
  const server = createServer(app);
  const origin = await listen(server, 0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const ask = (headers = {}) => sendRequest(origin, { method: "GET", path: "/files/a/b", headers });
  return { origin, log, ask };
}

const info = { size: 5, mediaType: "text/plain", etag: '"1"', version: "1" };
const fails = () => Promise.reject(new Error("the disk failed"));

test("a store that fails is 500 STORAGE_ERROR, of which the caller learns nothing", async () => {
  const failing = () =>
    new Readable({
      read() {
        this.destroy(new Error("the disk failed"));
      },
    });
  const stores: ReadableStore[] = [
    { get: fails, head: fails },
    { get: fails, head: async () => info },
    { get: async () => ({ ...info, content: failing() }), head: async () => info },
  ];
  for (const store of stores) {
    const { ask, log } = await serve(store);
    for (const headers of [{}, { range: "bytes=0-1" }]) {
      const reply = await ask(headers);
      expect(reply.envelope).toMatchObject({ statusCode: 500, error: "STORAGE_ERROR", data: null });
      expect(reply.text).not.toContain("disk");
      expect(reply.headers).toMatchObject({
        "cache-control": "no-store",
        "content-type": "application/json; charset=utf-8",
      });
      for (const name of ["etag", "content-disposition", "accept-ranges"])
        expect(reply.headers).not.toHaveProperty(name);
    }
    expect(log).toMatchObject([
      { path: "/files/{path}", err: { message: "the disk failed" } },
      { path: "/files/{path}", err: { message: "the disk failed" } },
    ]);
  }
});

test("a part is of the file that it was judged for", async () => {
  let version = 0;
  const store: ReadableStore = {
    head: async () => ({ ...info, etag: `"${version}"` }),
    get: async (_key, range) => {
      if (version < 2) version++;
      const part = `${version}`.repeat(range === undefined ? 5 : range.end - range.start + 1);
      return { ...info, etag: `"${version}"`, content: Readable.from([Buffer.from(part)]) };
    },
  };
  const { ask } = await serve(store);
  const reply = await ask({ range: "bytes=1-2" });
  expect(reply).toMatchObject({ status: 206, text: "22" });
  expect(reply.headers.etag).toBe('"2"');
});

test("a file that changes with each look at it is given up", async () => {
  let version = 0;
  const contents: Readable[] = [];
  const next = () => ({ ...info, etag: `"${version++}"` });
  const store: ReadableStore = {
    head: async () => next(),
    get: async () => {
      const content = Readable.from(["12345"]);
      contents.push(content);
      return { ...next(), content };
    },
  };
  const { ask } = await serve(store);
  expect((await ask({ range: "bytes=1-2" })).envelope).toMatchObject({ error: "STORAGE_ERROR" });
  expect(contents.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, true]);
});

test("a file that becomes shorter while it is sent breaks the connection", async () => {
  const { store, root, place } = await localUnderTest();
  await place("a/b");
  await truncate(join(root, "a/b"), 100_000_000);
  const { origin, log } = await serve(store);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${origin}/files/a/b`, resolve).once("error", reject);
  });
  expect(response.headers["content-length"]).toBe("100000000");
  await truncate(join(root, "a/b"), 10);
  await expect(buffer(response)).rejects.toThrow("aborted");
  const err = { message: "the file became shorter while it was read" };
  await expect.poll(() => log).toMatchObject([{ status: 200, aborted: true, err }]);
});
