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

/** The book shop's own models, `authors` last, and copies of that one before them. */
const count = Number(process.env["BENCHMARK_MODELS"] ?? 10);
const others = bookshop.models.filter(({ model }) => model.key !== "authors");
const copies = Array.from({ length: count - others.length - 1 }, (_, index) => {
  const key = `authors_${index}`;
  return { ...authors, model: { ...authors.model, key, slug: key, typeName: `Authors${index}` } };
});
const models = [...copies, ...others, authors];

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
const service = defineService({ ...bookshop, name: "benchmark", models, migrations });

serve(createHttpServer(createServer(service, { config: { ...config, secrets }, database, log })));
