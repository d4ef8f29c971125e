import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendContent } from "#runtime/core/http/send-content";

type Handler = (response: ServerResponse) => Promise<void>;

/** A server that answers each request so, and what came of that. */
async function serverOf(handle: Handler) {
  const outcomes: Promise<unknown>[] = [];
  const server = createServer((_request, response) => {
    outcomes.push(
      handle(response).then(
        () => "sent",
        (error: unknown) => error,
      ),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, outcomes };
}

const ask = (port: number) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ port }, resolve).once("error", reject);
  });

/** A content of so many pieces of 64 kB, and how many of them were taken. */
function pieces(count: number, failsAt = Number.POSITIVE_INFINITY) {
  const taken = { count: 0 };
  const piece = Buffer.alloc(65_536, "a");
  const content = new Readable({
    highWaterMark: piece.length,
    read() {
      if (++taken.count === failsAt) this.destroy(new Error("the disk failed"));
      else this.push(taken.count > count ? null : piece);
    },
  });
  return { content, taken, length: count * piece.length };
}

test("all of a content arrives", async () => {
  for (const count of [0, 1, 2, 200]) {
    const { content, length } = pieces(count);
    const { port, outcomes } = await serverOf((response) =>
      sendContent(response, content, 200, { "Content-Length": length, "X-Own": "own" }),
    );
    const response = await ask(port);
    expect(response.headers).toMatchObject({ "x-own": "own", "content-length": `${length}` });
    expect((await buffer(response)).length).toBe(length);
    expect(await Promise.all(outcomes)).toEqual(["sent"]);
  }
});

test("nothing more is read of a content than its client takes", async () => {
  const { content, taken, length } = pieces(4000);
  let waits = () => false;
  const { port } = await serverOf((response) => {
    waits = () => response.writableNeedDrain;
    return sendContent(response, content, 200, { "Content-Length": length });
  });
  const socket = connect(port, "127.0.0.1").pause();
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await vi.waitFor(() => expect(waits() && content.readableLength > 0).toBe(true), 10_000);
  // The system's own buffers take some megabytes.
  expect(taken.count).toBeLessThan(1000);
  expect(content.readableLength).toBeLessThanOrEqual(2 * 65_536);
  socket.destroy();
  await once(content, "close");
});

test("a client that leaves ends it", async () => {
  const { content, length } = pieces(4000);
  const { port, outcomes } = await serverOf((response) =>
    sendContent(response, content, 200, { "Content-Length": length }),
  );
  const response = await ask(port);
  await once(response, "readable");
  response.destroy();
  await once(content, "close");
  expect(content.destroyed).toBe(true);
  expect(await Promise.all(outcomes)).toEqual(["sent"]);
});

test("a client that left before there was anything to send leaves nothing open", async () => {
  const { content } = pieces(1);
  const { port, outcomes } = await serverOf(async (response) => {
    await once(response, "close");
    return sendContent(response, content, 200, {});
  });
  const asking = get({ port });
  asking.once("error", () => {});
  await vi.waitFor(() => expect(outcomes).toHaveLength(1));
  asking.destroy();
  expect(await Promise.all(outcomes)).toEqual(["sent"]);
  expect(content.destroyed).toBe(true);
});

test("a failure before the first bytes can still get another response", async () => {
  const { content, length } = pieces(10, 1);
  const { port, outcomes } = await serverOf(async (response) => {
    await sendContent(response, content, 200, { "Content-Length": length }).catch((error: unknown) => {
      expect(response.headersSent).toBe(false);
      response.writeHead(500).end();
      throw error;
    });
  });
  expect((await ask(port)).statusCode).toBe(500);
  expect(await Promise.all(outcomes)).toMatchObject([{ message: "the disk failed" }]);
});

test("a later failure rejects, and the route closes the connection", async () => {
  const { content, length } = pieces(10, 5);
  const { port } = await serverOf((response) =>
    sendContent(response, content, 200, { "Content-Length": length }).catch(() => void response.destroy()),
  );
  await expect(ask(port).then(buffer)).rejects.toThrow("aborted");
});
