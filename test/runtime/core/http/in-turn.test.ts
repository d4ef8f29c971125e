import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { Response } from "express";
import { expect, onTestFinished, test } from "vitest";
import { sendSuccess } from "#runtime/core/http/answer";
import { type Application, requestHead, serveApplication } from "../../../support/application.ts";
import { sendRequest } from "../../../support/request.ts";

const mebibyte = 1024 * 1024;
/** More than the system buffers for a connection that is not read. */
const large = "x".repeat(24 * mebibyte);

/** An application that counts the requests it was given, and lets a test answer them. */
async function counting() {
  const begun: string[] = [];
  const held: Response[] = [];
  const application = await serveApplication((app) => {
    app.get("/large", (_request, response) => {
      begun.push("large");
      sendSuccess(response, { message: "large", data: JSON.stringify(large) });
    });
    app.get("/held", (_request, response) => {
      begun.push("held");
      held.push(response);
    });
    app.get("/quick", (_request, response) => {
      begun.push("quick");
      sendSuccess(response, { message: "quick", data: "1" });
    });
    app.post("/read", (request, response) => {
      begun.push("read");
      request.resume().on("end", () => sendSuccess(response, { message: "read", data: "2" }));
    });
  });
  return { ...application, begun, held };
}

/** The service had time for more than it did: other connections were served meanwhile. */
async function otherRequests({ origin }: Application, count = 20): Promise<void> {
  for (let sent = 0; sent < count; sent++) await sendRequest(origin, { method: "GET", path: "/nothing" });
}

/** The status and the first word of the message of each answer that comes until the connection ends. */
async function answers(socket: Socket): Promise<string[]> {
  let text = "";
  socket.setEncoding("latin1").on("data", (part: string) => {
    text += part;
  });
  await once(socket, "close");
  return [...text.matchAll(/HTTP\/1\.1 (\d+).*?"message":"(\w+)/gs)].map(([, ...found]) => found.join(" "));
}

test("a client that reads nothing has one response computed, for any number of requests", async () => {
  const application = await counting();
  const socket = await application.open();
  socket.write(requestHead("GET /large").repeat(5));
  await expect.poll(() => application.begun).toEqual(["large"]);
  await otherRequests(application);
  expect(application.begun).toEqual(["large"]);
  let taken = 0;
  socket.on("data", (chunk) => {
    taken += chunk.length;
  });
  await expect.poll(() => taken > 5 * large.length, { timeout: 15_000 }).toBe(true);
  expect(application.begun).toHaveLength(5);
});

test("nothing is read from a connection while requests wait, bodies among them, and in the end all are answered", async () => {
  const application = await counting();
  const padding = `X-Padding: ${"x".repeat(8_000)}`;
  const read = `${requestHead("POST /read", padding, "Content-Length: 1000")}${"y".repeat(1000)}`;
  const count = 600;
  const [connection, socket] = await Promise.all([
    once(application.server, "connection"),
    application.open(),
  ]);
  socket.write(`${read}${requestHead("GET /held")}`);
  socket.write((read + requestHead("GET /quick", padding)).repeat(count));
  socket.write(requestHead("GET /quick", "Connection: close"));
  await expect.poll(() => application.held).toHaveLength(1);
  await otherRequests(application, 100);
  expect(connection[0].bytesRead).toBeLessThan(mebibyte);
  expect(application.begun).toEqual(["read", "held"]);
  const [held] = application.held;
  if (held !== undefined) sendSuccess(held, { message: "held", data: "0" });
  const found = await answers(socket);
  expect(found.filter((text) => text.startsWith("200 "))).toHaveLength(2 * count + 3);
  expect(application.begun).toHaveLength(2 * count + 3);
});

test("the body of a request that waits is read when its turn comes", async () => {
  const application = await counting();
  const socket = await application.open();
  const head = requestHead("POST /read", `Content-Length: ${mebibyte}`, "Connection: close");
  socket.write(`${requestHead("GET /held")}${head}`);
  socket.write("y".repeat(mebibyte));
  await expect.poll(() => application.held).toHaveLength(1);
  await otherRequests(application);
  const [held] = application.held;
  if (held !== undefined) sendSuccess(held, { message: "held", data: "0" });
  expect(await answers(socket)).toEqual(["200 held", "200 read"]);
});

test("waiting requests are dropped when their client has left, or after a response that ends the connection", async () => {
  const application = await counting();
  const left = await application.open();
  left.write(requestHead("GET /held") + requestHead("GET /quick"));
  await expect.poll(() => application.held).toHaveLength(1);
  left.destroy();
  const last = await application.open();
  last.write(requestHead("GET /held") + requestHead("GET /quick"));
  await expect.poll(() => application.held).toHaveLength(2);
  for (const response of application.held) {
    response.setHeader("Connection", "close");
    sendSuccess(response, { message: "held", data: "0" });
  }
  expect(await answers(last)).toEqual(["200 held"]);
  await otherRequests(application);
  expect(application.begun).toEqual(["held", "held"]);
});

test("an invalid request is answered after those that came before it", async () => {
  const application = await counting();
  const socket = await application.open();
  socket.write(`${requestHead("GET /held")}${requestHead("GET /quick")}nonsense\r\n\r\n`);
  await expect.poll(() => application.held).toHaveLength(1);
  await otherRequests(application);
  const [held] = application.held;
  if (held !== undefined) sendSuccess(held, { message: "held", data: "0" });
  expect(await answers(socket)).toEqual(["200 held", "200 quick", "400 This"]);
});

test("a body that breaks off in nonsense is answered once, behind the requests before it", async () => {
  const application = await counting();
  const socket = await application.open();
  socket.write(
    `${requestHead("GET /held")}${requestHead("POST /read", "Transfer-Encoding: chunked")}nonsense\r\n`,
  );
  await expect.poll(() => application.held).toHaveLength(1);
  await otherRequests(application);
  const [held] = application.held;
  if (held !== undefined) sendSuccess(held, { message: "held", data: "0" });
  expect(await answers(socket)).toEqual(["200 held", "400 This"]);
  expect(application.begun).toEqual(["held"]);
});

test("a client that takes nothing of its answer for a minute is cut off, one that has taken it is not", async () => {
  const application = await counting();
  const [[connection], socket] = await Promise.all([
    once(application.server, "connection"),
    application.open(),
  ]);
  onTestFinished(() => void socket.destroy());
  socket.write(requestHead("GET /large"));
  await expect.poll(() => application.begun).toEqual(["large"]);
  expect(connection.timeout).toBe(60_000);
  let taken = 0;
  socket.on("data", (chunk) => {
    taken += chunk.length;
  });
  await expect.poll(() => taken > large.length, { timeout: 10_000 }).toBe(true);
  await expect.poll(() => connection.timeout).toBeGreaterThanOrEqual(application.server.keepAliveTimeout);
  socket.pause().write(requestHead("GET /large"));
  await expect.poll(() => connection.timeout).toBe(60_000);
  // As the system's clock would, in a minute.
  connection.emit("timeout");
  await setImmediate();
  expect(connection.destroyed).toBe(true);
});
