import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendSuccess } from "#runtime/core/http/answer";
import { readFormBody, readJsonBody, readRawBody } from "#runtime/core/http/body";
import { type Application, requestHead, serveApplication } from "../../../support/application.ts";

let application: Application;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  application = await serveApplication((app) => {
    const read = (reader: (request: IncomingMessage, limit: number) => Promise<unknown>) =>
      app.post(`/${reader.name}`, async (request, response) => {
        await reader(request, 1000);
        sendSuccess(response, { message: "read", data: "1" });
      });
    read(readJsonBody);
    read(readFormBody);
    read(readRawBody);
  });
});
afterEach(() => void vi.useRealTimers());

/** A request whose headers are here, and whose body is not. */
async function begun(path: string, ...headers: string[]): Promise<Socket> {
  const socket = await application.open();
  const served = once(
    application.server,
    headers.includes("Expect: 100-continue") ? "checkContinue" : "request",
  );
  socket.write(requestHead(`POST ${path}`, ...headers));
  await served;
  return socket;
}

async function rest(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  await once(socket, "close");
  return Buffer.concat(parts).toString();
}

const json = ["Content-Type: application/json", "Content-Length: 2"];
const form = ["Content-Type: application/x-www-form-urlencoded", "Transfer-Encoding: chunked"];

test.each([
  ["/readJsonBody", json],
  ["/readJsonBody", [...json, "Expect: 100-continue"]],
  ["/readFormBody", form],
  ["/readRawBody", form],
])("%s waits two minutes for its body (%j)", async (path, headers) => {
  const socket = await begun(path, ...headers);
  vi.advanceTimersByTime(115_000);
  expect(socket.readableEnded).toBe(false);
  vi.advanceTimersByTime(20_000);
  const text = await rest(socket);
  expect(text).toMatch(/HTTP\/1.1 408 Request Timeout\r\n/);
  expect(text).toMatch(/^Connection: close\r$/m);
  expect(text).toContain('"error":"HTTP_ERROR","message":"The request took too long to arrive."');
});

test("a request that arrives in time is answered, and so is the next one on its connection", async () => {
  const socket = await begun("/readJsonBody", ...json);
  vi.advanceTimersByTime(100_000);
  socket.write("{}");
  expect(String(await once(socket, "data"))).toContain("200 OK");
  vi.advanceTimersByTime(100_000);
  socket.write(requestHead("POST /readJsonBody", ...json));
  await once(application.server, "request");
  vi.advanceTimersByTime(100_000);
  socket.write("{}");
  expect(String(await once(socket, "data"))).toContain("200 OK");
});

test("slow headers are bounded by node:http itself", () => {
  expect(application.server.headersTimeout).toBeLessThan(120_000);
  expect(application.server.headersTimeout).toBeGreaterThan(0);
});
