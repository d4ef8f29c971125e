/** The generated service with access rules, validation and request ids on. `BENCHMARK_MODELS` models. */
import { createSecretKey } from "node:crypto";
import { join } from "node:path";
import pino from "pino";
import { service as bookshop } from "../../../generated/index.ts";
import { routes as authors } from "../../../generated/models/authors/routes.ts";
import {
  createDatabase,
  createHttpServer,
  createServer,
  defineService,
  readConfig,
} from "../../../runtime/index.ts";
import { databaseUrl, serve } from "./serve.ts";

const count = Number(process.env["BENCHMARK_MODELS"] ?? 10);
const models = Array.from({ length: count }, (_, index) => {
  const key = index === count - 1 ? "authors" : `authors_${index}`;
  return { ...authors, model: { ...authors.model, key, slug: key } };
});

const root = process.cwd();
const config = readConfig({
  root,
  manifestPath: join(root, "models", "manifest.json"),
  environment: process.env,
});
const log = pino(
  { level: process.env["BENCHMARK_LOG_LEVEL"] ?? "warn" },
  pino.destination({ dest: "/dev/null", sync: false, minLength: 16_000, periodicFlush: 250 }),
);
const database = createDatabase({ url: databaseUrl(), maxConnections: 10, log });
const jwt = createSecretKey(Buffer.from(process.env["BENCHMARK_SECRET"] ?? ""));
const secrets = { ...config.secrets, jwt };
const migrations = new URL("../../../generated/migrations/", import.meta.url);
const service = defineService({ ...bookshop, name: "benchmark", models, internalModels: [], migrations });

serve(createHttpServer(createServer(service, { config: { ...config, secrets }, database, log })));
