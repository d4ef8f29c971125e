import { createSecretKey } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type pino from "pino";
import { connectCache } from "#runtime/core/cache/index";
import type { RequestRecorder } from "#runtime/core/http/index";
import {
  type Config,
  createDatabase,
  createMonitoring,
  createServer,
  type Monitoring,
  readConfig,
} from "#runtime/index";
import { connectCounters } from "#runtime/modules/rate-limit/index";
import { bufferedOutput, createLog } from "#runtime/process/index";
import { service as bookshop } from "../../generated/index.ts";
import { routes as authors } from "../../generated/models/authors/routes.ts";
import { databaseUrl } from "./serve.ts";

/** With a Redis where `BENCHMARK_REDIS_URL` names one. Rate limits are off unless they are given. */
export interface BookshopOptions {
  /** How many models; default the book shop's own. */
  readonly models?: number;
  readonly rateLimit?: Partial<Config["rateLimit"]>;
  /** Where files are stored; default nowhere. */
  readonly filesRoot?: string;
  /** Share of requests whose steps are recorded, and where; default: nothing is. */
  readonly monitoring?: { readonly sampleRate: number; readonly databasePath: string };
  /** What is told of each request in place of monitoring, which it is given; null: that is off. */
  readonly recorder?: (recorder: RequestRecorder | null) => RequestRecorder;
}

/** The book shop's own models, `authors` last, and copies of that one before them. */
function modelsOf(count: number | undefined): typeof bookshop.models {
  const others = bookshop.models.filter(({ model }) => model.key !== "authors");
  const copies = Array.from({ length: Math.max(0, (count ?? 0) - others.length - 1) }, (_, index) => {
    const key = `authors_${index}`;
    return { ...authors, model: { ...authors.model, key, slug: key, typeName: `Authors${index}` } };
  });
  return [...copies, ...others, authors];
}

function storageIn(root: string): Config["storage"] {
  return {
    store: { provider: "local", root },
    slug: "storage",
    maxFileSizeBytes: 2 ** 30,
    allowedMediaTypes: null,
    urlTtlSeconds: 3600,
    publicPrefixes: [],
    publicBaseUrl: null,
    scope: "shared",
    thumbnails: [],
    maxPixels: 40_000_000,
    resumable: false,
    limits: {},
  };
}

/** Opens `/monitoring`. */
const ingestionKey = "the-ingestion-key-of-the-benchmark";

function monitoringIn(given: NonNullable<BookshopOptions["monitoring"]>): Config["monitoring"] {
  return {
    ...given,
    batchIntervalSeconds: 5,
    retentionDays: 7,
    slowRequestMs: 500,
    maxDatabaseMb: 1_000,
    queueSize: 10_000,
    logs: { level: "warn", queueSize: 5_000, shipping: null },
    ingestionKey: createSecretKey(Buffer.from(ingestionKey)),
  };
}

/** Monitoring whose records are made by somebody else. */
function recordedBy(
  config: Config,
  log: pino.Logger,
  recorder: NonNullable<BookshopOptions["recorder"]>,
): Monitoring {
  const { monitoring: settings } = config;
  if (settings === null) return { ...noMonitoring, requests: recorder(null) };
  const monitoring = createMonitoring({ config, settings, log });
  return { ...monitoring, requests: recorder(monitoring.requests) };
}

/** What is there of a module that is off, but for what is told of requests. */
const noMonitoring: Omit<Monitoring, "requests"> = {
  forHooks: () => ({ aiRun() {}, mcpCall() {} }),
  router: () => (_request, _response, next) => next(),
  close: async () => {},
};

/** The generated service with access rules, validation and request ids on, as an application. */
export async function createBookshop({
  models,
  rateLimit,
  filesRoot,
  monitoring,
  recorder,
}: BookshopOptions) {
  const root = process.cwd();
  const config = readConfig({
    root,
    manifestPath: join(root, "models", "manifest.json"),
    environment: process.env,
  });
  const log = createLog(
    "benchmark",
    process.env["BENCHMARK_LOG_LEVEL"] === "info" ? "info" : "warn",
    bufferedOutput("/dev/null"),
  );
  const url = databaseUrl();
  const redisUrl = process.env["BENCHMARK_REDIS_URL"];
  const jwt = [createSecretKey(Buffer.from(process.env["BENCHMARK_SECRET"] ?? ""))] as const;
  const migrations = new URL("../../generated/migrations/", import.meta.url);
  // The compiled book shop is in another folder, without `openapi.json`.
  const folder = pathToFileURL(join(root, "generated/"));
  const ownConfig = {
    ...config,
    storage: filesRoot === undefined ? null : storageIn(filesRoot),
    monitoring: monitoring === undefined ? null : monitoringIn(monitoring),
    secrets: { ...config.secrets, jwt },
    rateLimit: { ...config.rateLimit, enabled: false, ...rateLimit },
  };
  return createServer(
    { ...bookshop, name: "benchmark", models: modelsOf(models), migrations, folder },
    {
      config: ownConfig,
      ...(recorder !== undefined && { monitoring: recordedBy(ownConfig, log, recorder) }),
      database: createDatabase({ url, maxConnections: 10, log }),
      counting: await connectCounters({ url, log }),
      cache: redisUrl === undefined ? null : await connectCache(redisUrl, log),
      log,
    },
  );
}
