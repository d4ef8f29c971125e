import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Response } from "express";
import { expect, onTestFinished, test } from "vitest";
import { sendSuccess } from "#runtime/core/http/answer";
import { Deadline } from "#runtime/process/deadline";
import { drain } from "#runtime/process/http-lifecycle";
import { requestHead, serveApplication } from "../../support/application.ts";

const large = "x".repeat(24 * 1024 * 1024);

/** A server, and what its routes hold back. */
async function serving() {
  const held: Response[] = [];
  const application = await serveApplication((app) => {
    app.get("/quick", (_request, response) => sendSuccess(response, { message: "quick", data: "1" }));
    app.get("/held", (_request, response) => void held.push(response));
    app.get("/large", (_request, response) =>
      sendSuccess(response, { message: "large", data: JSON.stringify(large) }),
    );
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const get = (path: string, by: Agent | undefined = agent) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(`${application.origin}${path}`, { agent: by }, (response) => {
        response.resume().on("end", () => resolve(response));
      });
      sent.on("error", reject).end();
    });
  const answerHeld = () => {
    for (const response of held.splice(0)) sendSuccess(response, { message: "held", data: "0" });
  };
  return { ...application, held, answerHeld, get };
}

test("while it accepts, idle connections, new ones and those in flight are served, and get Connection: close", async () => {
  const { server, held, answerHeld, get } = await serving();
  expect((await get("/quick")).headers.connection).toBe("keep-alive");
  const other = new Agent({ keepAlive: true });
  const inFlight = get("/held", other);
  await expect.poll(() => held).toHaveLength(1);
  let stopAccepting = () => {};
  const accepting = new Promise<void>((resolve) => {
    stopAccepting = resolve;
  });
  const drained = drain(server, { accepting, deadline: new Deadline(60_000) });
  for (const by of [undefined, new Agent(), new Agent({ keepAlive: true })]) {
    const { statusCode, headers } = await get("/quick", by);
    expect([statusCode, headers.connection]).toEqual([200, "close"]);
  }
  stopAccepting();
  await expect.poll(() => get("/quick", new Agent()).catch(({ code }) => code)).toBe("ECONNREFUSED");
  answerHeld();
  const { statusCode, headers } = await inFlight;
  expect([statusCode, headers.connection]).toEqual([200, "close"]);
  await drained;
});

test("of requests that wait behind each other the last is the last, and an expectation changes nothing", async () => {
  const { server, open, held, answerHeld } = await serving();
  const [waiting, expecting] = [await open(), await open()];
  waiting.write(requestHead("GET /held") + requestHead("GET /quick") + requestHead("GET /quick"));
  await expect.poll(() => held).toHaveLength(1);
  const drained = drain(server, { accepting: once(waiting, "close"), deadline: new Deadline(60_000) });
  expecting.write(requestHead("GET /quick", "Expect: 100-continue"));
  const [answer] = await once(expecting, "data");
  expect(String(answer)).toMatch(/^Connection: close\r$/m);
  let text = "";
  waiting.on("data", (part: Buffer) => {
    text += part.toString("latin1");
  });
  answerHeld();
  await drained;
  expect(text.match(/^Connection: [\w-]+/gm)).toEqual([
    "Connection: keep-alive",
    "Connection: keep-alive",
    "Connection: close",
  ]);
});

test("an answer that its client is still taking is not cut", async () => {
  const { server, open } = await serving();
  const [[connection], socket] = await Promise.all([once(server, "connection"), open()]);
  socket.write(requestHead("GET /large"));
  await expect.poll(() => connection.writableLength).toBeGreaterThan(0);
  const drained = drain(server, { deadline: new Deadline(60_000) });
  await expect.poll(() => server.listening).toBe(false);
  let taken = 0;
  socket.on("data", (part: Buffer) => {
    taken += part.length;
  });
  await Promise.all([drained, once(socket, "close")]);
  expect(taken).toBeGreaterThan(large.length);
});

test("requests in flight at the deadline are cut, and the steps that follow have no time left", async () => {
  const { server, held, get } = await serving();
  const cut = expect(get("/held")).rejects.toThrow();
  await expect.poll(() => held).toHaveLength(1);
  const deadline = new Deadline(50);
  await drain(server, { deadline });
  await cut;
  expect(deadline.leftMs()).toBeLessThan(5);
  await deadline.orGiveUp(new Promise(() => {}));
});
