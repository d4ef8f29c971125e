import express from "express";
import { createHttpServer } from "#runtime/core/http/index";
import { Deadline } from "#runtime/process/deadline";
import { drain, listen } from "#runtime/process/http-lifecycle";

/** A server in a process of a test. On each message a new server listens, and the former one stops. */
async function start() {
  const app = express().post("/work", (_request, response) => void response.end("done"));
  const server = createHttpServer(app);
  process.send?.(await listen(server, 0, "127.0.0.1"));
  return server;
}

let server = await start();
process.on("message", async () => {
  const before = server;
  server = await start();
  await drain(before, { deadline: new Deadline(60_000) });
  process.send?.("stopped");
});
