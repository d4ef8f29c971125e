/**
 * The generated service. `BENCHMARK_MODELS` models; rate limits of `BENCHMARK_MAX_REQUESTS` a minute, else none; files in
 * `BENCHMARK_FILES`, else none; monitoring with the store `BENCHMARK_METRICS` and the sample rate `BENCHMARK_SAMPLE_RATE`, else off.
 */
import { createHttpServer } from "#runtime/index";
import { createBookshop } from "./bookshop.ts";
import { serve } from "./serve.ts";

const models = Number(process.env["BENCHMARK_MODELS"] ?? 10);
const defaultMaxRequests = Number(process.env["BENCHMARK_MAX_REQUESTS"] ?? 0);
const rateLimit = { enabled: defaultMaxRequests > 0, defaultMaxRequests, trustedProxyIps: ["127.0.0.1"] };
const filesRoot = process.env["BENCHMARK_FILES"];
const databasePath = process.env["BENCHMARK_METRICS"];
const sampleRate = Number(process.env["BENCHMARK_SAMPLE_RATE"] ?? 1);
serve(
  createHttpServer(
    await createBookshop({
      models,
      rateLimit,
      ...(filesRoot !== undefined && { filesRoot }),
      ...(databasePath !== undefined && { monitoring: { sampleRate, databasePath } }),
    }),
  ),
);
