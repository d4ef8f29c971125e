/** A process that serves only storage, to every caller, from the given folder or the bucket of `BUCKET`. */
import { createSecretKey } from "node:crypto";
import express from "express";
import pino from "pino";
import type { S3StorageSettings, StorageSettings } from "#runtime/core/config/index";
import { answerError, routeNotFound } from "#runtime/core/http/answer";
import { createHttpServer } from "#runtime/core/http/index";
import { requestContext } from "#runtime/core/http/request-context";
import { createStorage } from "#runtime/modules/storage/index";
import { listen } from "#runtime/process/http-lifecycle";

export interface WrittenBucket extends Omit<S3StorageSettings, "credentials"> {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

const [root = ""] = process.argv.slice(2);
// Root may write anywhere.
const user = process.env["RUN_AS"];
if (user !== undefined) process.seteuid?.(Number(user));
const bucket = process.env["BUCKET"];
const log = pino({ level: "silent" });
// biome-ignore format: one entry a line
const settings: StorageSettings = {
  store: bucket === undefined ? { provider: "local", root } : inBucket(JSON.parse(bucket)),
  slug: "storage",
  maxFileSizeBytes: 100_000_000,
  allowedMediaTypes: null,
  urlTtlSeconds: 3600,
  publicPrefixes: ["public/"],
  publicBaseUrl: null,
  scope: "shared",
  thumbnails: [{ name: "small", width: 50 }, { name: "large", width: 200 }],
  resumable: false,
    maxPixels: 1_000_000,
  limits: {},
};
const secret = createSecretKey(Buffer.alloc(32, 1));
const storage = createStorage({ settings, secret: [secret], baseUrl: "http://localhost", log });
const callerOf = async () => ({ principal: { user_id: "1", role: "user", email: "" }, address: "127.0.0.1" });
const app = express();
app.use(requestContext(log));
app.use("/storage", storage.router({ callerOf, counters: new Map() }));
app.use(routeNotFound, answerError);
const origin = await listen(createHttpServer(app), 0, "127.0.0.1");
console.log(`listening on ${origin}`);

/** Settings as a text can hold them. */
function inBucket({
  credentials: { accessKeyId, secretAccessKey },
  ...store
}: WrittenBucket): S3StorageSettings {
  return {
    ...store,
    credentials: { accessKeyId, secretAccessKey: createSecretKey(Buffer.from(secretAccessKey)) },
  };
}
