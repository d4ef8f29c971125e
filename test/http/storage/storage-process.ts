/** A process that serves storage alone, in the folder that it is given, to anybody. */
import { createSecretKey } from "node:crypto";
import express from "express";
import pino from "pino";
import type { StorageSettings } from "../../../runtime/config/index.ts";
import { answerError, routeNotFound } from "../../../runtime/http/handlers.ts";
import { createHttpServer } from "../../../runtime/http/index.ts";
import { requestContext } from "../../../runtime/http/request-context.ts";
import { listen } from "../../../runtime/process/http-lifecycle.ts";
import { createStorage } from "../../../runtime/storage/index.ts";

const [root = ""] = process.argv.slice(2);
const log = pino({ level: "silent" });
const settings: StorageSettings = {
  store: { provider: "local", root },
  slug: "storage",
  maxFileSizeBytes: 100_000_000,
  allowedMediaTypes: null,
  urlTtlSeconds: 3600,
  publicPrefixes: ["public/"],
  publicBaseUrl: null,
  scope: "shared",
  thumbnails: [
    { name: "small", width: 50 },
    { name: "large", width: 200 },
  ],
  maxPixels: 1_000_000,
  limits: {},
};
const secret = createSecretKey(Buffer.alloc(32, 1));
const storage = createStorage({ settings, secret, baseUrl: "http://localhost", log });
const callerOf = async () => ({ principal: { user_id: "1", role: "user", email: "" }, address: "127.0.0.1" });
const app = express();
app.use(requestContext(log));
app.use("/storage", storage.router({ callerOf, counters: new Map() }));
app.use(routeNotFound, answerError);
const origin = await listen(createHttpServer(app), 0, "127.0.0.1");
console.log(`listening on ${origin}`);
