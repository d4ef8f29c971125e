import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import express, { type Express } from "express";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { answerError, routeNotFound } from "#runtime/core/http/answer";
import { createHttpServer } from "#runtime/core/http/index";
import { requestContext } from "#runtime/core/http/request-context";
import { Deadline } from "#runtime/process/deadline";
import { drain, listen } from "#runtime/process/http-lifecycle";
import { sendRequest } from "../../../support/request.ts";
import { silent } from "../../../support/silent-log.ts";

const circular: Record<string, unknown> = {};
circular["self"] = circular;
const broken: Readonly<Record<string, ServiceError>> = {
  "/bigint": new ServiceError("NOT_FOUND", "ours", { id: 1n }),
  "/circular": new ServiceError("NOT_FOUND", "ours", circular),
  "/header": new ServiceError("NOT_FOUND", "ours", undefined, { headers: { "X-A": "a\nb" } }),
  "/status": new ServiceError("HTTP_ERROR", "ours", undefined, { status: 7 }),
};

/** What was done, in order, of requests whose clients hang up. */
let done: string[];
let arrived: () => void;
let lines: Record<string, unknown>[];
let server: ReturnType<typeof createHttpServer>;
let origin: string;

beforeEach(async () => {
  lines = [];
  done = [];
  server = createHttpServer(application());
  origin = await listen(server, 0, "127.0.0.1");
});

afterEach(() => drain(server, { deadline: new Deadline(0) }));

function application(): Express {
  const app = express();
  app.use(requestContext(pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })));
  for (const [path, error] of Object.entries(broken))
    app.get(path, () => {
      throw error;
    });
  app.get("/half", (_request, response) => {
    response.write("half");
    throw new Error("too late");
  });
  app.get("/never", () => {});
  app.get("/left/:outcome", ({ context: { later }, params }, response, next) => {
    const ask = (name: string) => later.addUnlessFailed(() => void done.push(name), silent);
    ask("at once");
    response.once("close", () =>
      setImmediate(() => {
        ask("once the client had gone");
        later.add(() => void done.push("what is certain"), silent);
        done.push("served");
        if (params.outcome === "fails") next(new ServiceError("NOT_FOUND"));
        else response.end("ok");
      }),
    );
    arrived();
  });
  app.get("/ok", (_request, response) => response.end("ok"));
  return app.use(routeNotFound, answerError);
}

const get = (path: string) => sendRequest(origin, { method: "GET", path });

test.each([
  ["succeeds", ["served", "at once", "once the client had gone", "what is certain"]],
  ["fails", ["served", "what is certain"]],
])("of who hangs up nothing follows before the request is served, which %s", async (outcome, expected) => {
  const here = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const client = request(`${origin}/left/${outcome}`).on("error", () => {});
  client.end();
  await here;
  client.destroy();
  await expect.poll(() => done).toContain("what is certain");
  expect(done).toEqual(expected);
});

describe("an error that cannot be answered", () => {
  test.each(Object.keys(broken))("%s is INTERNAL_ERROR, in the envelope", async (path) => {
    const { status, headers, envelope } = await get(path);
    expect(status).toBe(500);
    expect(headers["content-type"]).toMatch(/^application\/json/);
    expect(envelope).toEqual({
      statusCode: 500,
      status: "error",
      error: "INTERNAL_ERROR",
      message: "Something went wrong on our side.",
      data: null,
    });
    const error = broken[path]?.code;
    expect(lines).toMatchObject([
      {
        status: 500,
        error: "INTERNAL_ERROR",
        err: { message: expect.stringContaining(`the response for ${error} could not`) },
      },
    ]);
  });

  test("after the headers, it ends with its connection", async () => {
    await expect(get("/half")).rejects.toThrow(/aborted|hang up/);
    await expect
      .poll(() => lines)
      .toMatchObject([{ status: 200, aborted: true, err: { message: "too late" } }]);
  });
});

describe("the line of a request", () => {
  test("names the error that was answered", async () => {
    await get("/nowhere");
    await get("/ok");
    expect(lines).toMatchObject([{ level: 30, status: 404, error: "NOT_FOUND" }, { status: 200 }]);
    expect(lines[1]).not.toHaveProperty("error");
  });

  test("has no status where the caller left before an answer", async () => {
    const outgoing = request(`${origin}/never`).on("error", () => {});
    server.once("request", () => outgoing.destroy());
    outgoing.end();
    await expect.poll(() => lines).toMatchObject([{ level: 30, path: "/never", aborted: true }]);
    expect(lines[0]).not.toHaveProperty("status");
  });
});

describe("connections", () => {
  test("are kept longer than a balancer keeps them, and headers may take longer than that", () => {
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
  });

  async function opened(): Promise<Socket> {
    const url = new URL(origin);
    const socket = connect(Number(url.port), url.hostname);
    await Promise.all([once(socket, "connect"), once(server, "connection")]);
    return socket;
  }

  test("that are idle end at once when the process stops", async () => {
    const used = await opened();
    used.write("GET /ok HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(used, "data");
    const ended = [used, await opened()].map((socket) => once(socket.resume(), "close"));
    await drain(server, { deadline: new Deadline(60_000) });
    await Promise.all(ended);
  });
});
