import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import express from "express";
import { loadEnvironment } from "#runtime/process/load-environment";
import { runProcess } from "#runtime/process/run";
import { createServer } from "#runtime/server/server";
import { service } from "../../http/fixture/generated/index.ts";

/** A service without models and with one slow route; run by a test as a process of its own. */
const root = process.argv[2] ?? "";
const migrations = pathToFileURL(`${root}/`);

await runProcess({
  root,
  environment: loadEnvironment(root),
  migrations,
  createApp(parts) {
    const app = express();
    app.get("/slow", (request, response) => {
      process.send?.("in flight");
      process.once("message", () => response.end("done"));
      request.on("error", () => {});
    });
    app.get("/forgotten", (_request, response) => {
      void Promise.reject(new Error("no mail for ann@example.org"));
      response.end("forgotten");
    });
    app.get("/thrown", (_request, response) => {
      setImmediate(() => {
        throw new Error("no mail for ann@example.org");
      });
      response.end("thrown");
    });
    app.get("/loaded", (_request, response) => {
      response.json(Object.keys(createRequire(import.meta.url).cache));
    });
    app.get("/lock-timeout", async (_request, response) => {
      response.json(await parts.database.run({ name: null, text: "SHOW lock_timeout" }, []));
    });
    app.use(createServer({ ...service, models: [], internalModels: [], migrations }, parts));
    return app;
  },
});
