import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { admit } from "#runtime/http/admit";
import { listen } from "#runtime/process/http-lifecycle";
import { testLoop } from "../../support/event-loop.ts";

test("a connection whose requests find no room at all is closed, on a server too that takes many of one at once", async () => {
  const loop = testLoop();
  const app = express();
  let served = 0;
  const refusals = () => ({ connections: 0, shares: 0 });
  app.use(admit({ refusals, addressOf: () => "anybody", loop }));
  app.use((_request, response) => {
    served++;
    response.end();
  });
  const server = createServer(app);
  const origin = await listen(server, 0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await fetch(origin);
  loop.pass(3);

  const socket = connect(Number(new URL(origin).port), "127.0.0.1").on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(10_001));
  await once(socket, "close");
  expect(served).toBe(1);
  while (loop.isWatched()) loop.endTurn();
  expect((await fetch(origin)).status).toBe(200);
});
