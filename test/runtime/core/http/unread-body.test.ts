import { once } from "node:events";
import type { Socket } from "node:net";
import express from "express";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { sendSuccess } from "#runtime/core/http/answer";
import { readJsonBody } from "#runtime/core/http/body";
import { limitFinishedResponses } from "#runtime/core/http/connection";
import { type Application, requestHead, serveApplication } from "../../../support/application.ts";

const mebibyte = 1024 * 1024;
const json = "Content-Type: application/json";
const chunked = "Transfer-Encoding: chunked";
const length = (bytes: number) => `Content-Length: ${bytes}`;

let application: Application;

beforeEach(async () => {
  application = await serveApplication((outer) => {
    // As a service can be mounted in a custom application.
    const app = express();
    limitFinishedResponses(app);
    outer.use(express.Router().use(app));
    app.post("/read", async (request, response) => {
      const body = await readJsonBody(request, 1000);
      sendSuccess(response, { message: "read", data: JSON.stringify(body) });
    });
    app.post("/refused", () => {
      throw new ServiceError("AUTHENTICATION_ERROR");
    });
    app.get("/listeners", ({ socket }, response) => {
      sendSuccess(response, { message: "counted", data: String(socket.listenerCount("close")) });
    });
    app.get("/ok", (_request, response) => sendSuccess(response, { message: "ok", data: "1" }));
  });
});

/** Writes all of it, as clients do that look for an answer only then. */
function write(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** All that arrives until the connection ends. Rejects when it was reset. */
async function rest(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  await once(socket, "end");
  return Buffer.concat(parts).toString("latin1");
}

const asChunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n0\r\n\r\n")]);

describe("a client that sends all of its body first reads the answer, and the connection is not reset", () => {
  const body = Buffer.alloc(8 * mebibyte, "x");
  test.each([
    ["/read", "413", [json, length(body.length)], body],
    ["/read", "413", [json, chunked], asChunk(body)],
    ["/refused", "401", [json, length(body.length), "Connection: close"], body],
    ["/refused", "401", [json, chunked, "Connection: close"], asChunk(body)],
    ["/nowhere", "404", [length(body.length), "Connection: close"], body],
    ["/read", "413", [json, length(body.length), "Expect: 100-continue"], body],
  ])("%s: %s (%j)", async (path, status, headers, bytes) => {
    const socket = await application.open();
    await write(socket, requestHead(`POST ${path}`, ...headers));
    await write(socket, bytes);
    const text = await rest(socket);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} .*"error":`, "s"));
    expect(text).toMatch(/^Connection: close\r$/m);
    expect(text.match(/HTTP\/1.1/g)).toHaveLength(1);
  });
});

test("the connection stays open after a response that came before the body, and the body is not read as a request", async () => {
  const socket = await application.open();
  const inner = requestHead("POST /refused", length(0)).repeat(1000);
  await write(socket, requestHead("POST /refused", json, length(inner.length)));
  await write(socket, inner);
  await write(socket, requestHead("GET /ok", "Connection: close"));
  const text = await rest(socket);
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
});

test("a connection with many such responses has no more listeners than one without", async () => {
  const socket = await application.open();
  const text = rest(socket);
  const ask = async (head: string) => {
    const answered = once(socket, "data");
    await write(socket, head);
    await answered;
  };
  await ask(requestHead("GET /listeners"));
  for (let request = 0; request < 12; request++) {
    await ask(requestHead("POST /refused", json, length(2)));
    await write(socket, "{}");
  }
  await write(socket, requestHead("GET /listeners", "Connection: close"));
  const counts = [...(await text).matchAll(/"counted","data":(\d+)/g)].map(([, count]) => Number(count));
  expect(counts).toEqual([counts[0], counts[0]]);
});

test("behind an answer that ends the connection nothing more is served", async () => {
  const socket = await application.open();
  await write(socket, requestHead("POST /read", json, length(2 * mebibyte)));
  await write(socket, Buffer.concat([Buffer.alloc(2 * mebibyte), Buffer.from(requestHead("GET /ok"))]));
  const text = await rest(socket);
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 413"]);
});

test.each(["/read", "/refused"])("%s: a body without an end is dropped up to a bound", async (path) => {
  const socket = await application.open(true);
  let text = "";
  socket.on("data", (part: Buffer) => {
    text += part.toString("latin1");
  });
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(mebibyte), Buffer.from("\r\n")]);
  socket.on("error", () => {});
  socket.write(requestHead(`POST ${path}`, json, chunked));
  let sent = 0;
  while (!socket.destroyed && sent < 200)
    await write(socket, chunk).then(
      () => sent++,
      () => {},
    );
  expect(text).toMatch(/^HTTP\/1.1 (413|401) /);
  // The sixteen that are dropped, and what the system takes for both sides.
  expect(sent).toBeGreaterThan(12);
  expect(sent).toBeLessThan(60);
});

test("a client that neither goes on nor leaves is cut off in some seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const [[connection], socket] = await Promise.all([
      once(application.server, "connection"),
      application.open(),
    ]);
    socket.write(requestHead("POST /read", json, length(2 * mebibyte)));
    await once(socket, "data");
    expect(connection.destroyed).toBe(false);
    vi.advanceTimersByTime(4_900);
    expect(connection.destroyed).toBe(false);
    vi.advanceTimersByTime(200);
    expect(connection.destroyed).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

describe("Expect: 100-continue", () => {
  test.each([
    ["/read", "413", 5 * mebibyte],
    ["/refused", "401", 10],
    ["/nowhere", "404", 10],
  ])("%s: %s at once, without asking for the body", async (path, status, bytes) => {
    const socket = await application.open();
    socket.write(requestHead(`POST ${path}`, json, length(bytes), "Expect: 100-continue"));
    expect(await rest(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*Connection: close`, "s"));
  });

  test("a body that is read is asked for", async () => {
    const socket = await application.open();
    socket.write(requestHead("POST /read", json, length(7), "Expect: 100-continue", "Connection: close"));
    const [part] = await once(socket, "data");
    expect(String(part)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write('{"a":1}');
    expect(await rest(socket)).toMatch(/^HTTP\/1.1 200 .*"data":\{"a":1\}/s);
  });
});

test("headers without an end are refused, and the client that goes on sending reads the answer", async () => {
  const socket = await application.open();
  await write(socket, `GET /ok HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(4 * mebibyte)}`);
  expect(await rest(socket)).toMatch(/^HTTP\/1.1 431 .*"statusCode":431/s);
});
