/**
 * The generated service. `BENCHMARK_MODELS` models; rate limits of `BENCHMARK_MAX_REQUESTS` a minute, else none; files in
 * `BENCHMARK_FILES`, else none.
 */
import { createHttpServer } from "../../runtime/index.ts";
import { createBookshop } from "./bookshop.ts";
import { serve } from "./serve.ts";

const models = Number(process.env["BENCHMARK_MODELS"] ?? 10);
const defaultMaxRequests = Number(process.env["BENCHMARK_MAX_REQUESTS"] ?? 0);
const rateLimit = { enabled: defaultMaxRequests > 0, defaultMaxRequests, trustedProxyIps: ["127.0.0.1"] };
const filesRoot = process.env["BENCHMARK_FILES"];
serve(
  createHttpServer(
    await createBookshop({ models, rateLimit, ...(filesRoot !== undefined && { filesRoot }) }),
  ),
);
