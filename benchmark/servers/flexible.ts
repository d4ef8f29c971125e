/**
 * The generated service without limits of its own, behind a middleware as the README of rate-limiter-flexible has it:
 * `BENCHMARK_MAX_REQUESTS` a minute by address. It is called in front of the application, not by another one around it:
 * that would cost more than the limiter.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Redis } from "ioredis";
import pg from "pg";
import { type RateLimiterAbstract, RateLimiterPostgres, RateLimiterRedis } from "rate-limiter-flexible";
import { createHttpServer } from "#runtime/index";
import { createBookshop } from "./bookshop.ts";
import { databaseUrl, serve } from "./serve.ts";

const settings = { points: Number(process.env["BENCHMARK_MAX_REQUESTS"]), duration: 60 };

async function createLimiter(): Promise<RateLimiterAbstract> {
  const url = process.env["BENCHMARK_REDIS_URL"];
  if (url !== undefined) return new RateLimiterRedis({ ...settings, storeClient: new Redis(url) });
  // No commit waits for the disk, as with the service's own counters.
  const options = "-c synchronous_commit=off";
  const storeClient = new pg.Pool({ connectionString: databaseUrl(), options });
  return new Promise((resolve, reject) => {
    const limiter: RateLimiterPostgres = new RateLimiterPostgres({ ...settings, storeClient }, (error) =>
      error ? reject(error) : resolve(limiter),
    );
  });
}

const app = await createBookshop({});
app.set("trust proxy", "127.0.0.1");
const limiter = await createLimiter();

async function limit(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = "ip" in request ? String(request.ip) : "";
  const { remainingPoints, msBeforeNext } = await limiter.consume(address);
  response.setHeader("X-RateLimit-Limit", settings.points);
  response.setHeader("X-RateLimit-Remaining", remainingPoints);
  response.setHeader("X-RateLimit-Reset", Math.ceil((Date.now() + msBeforeNext) / 1000));
}

const server = createHttpServer(app);
server.removeAllListeners("request").on("request", (request, response) => {
  limit(request, response).then(
    () => app(request, response),
    () => response.writeHead(429).end(),
  );
});
serve(server);
