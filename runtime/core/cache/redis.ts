import { once } from "node:events";
import type { Redis, RedisOptions } from "ioredis";
import type { Logger } from "pino";

export type { Redis, Result } from "ioredis";

/** The Redis of `SERVICE_REDIS_URL`, which the processes of a service share. */
export interface Cache {
  /** Each command resolves or rejects within 300 ms, or rejects at once without a connection. */
  readonly client: Redis;
  /** Rejects when Redis cannot be reached. */
  ping(): Promise<void>;
  /** Closes the connection within half a second, in any state. */
  close(): Promise<void>;
}

const firstConnectionMs = 1_000;
const goodbyeMs = 300;
const longestPauseMs = 2_000;

const options = {
  // Commands are not kept for later: one that cannot be sent now is rejected now.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 2_000,
  disconnectTimeout: goodbyeMs,
  maxLoadingRetryTime: 500,
  retryStrategy: (attempt) =>
    Math.min(50 * 2 ** Math.min(attempt - 1, 10), longestPauseMs) + Math.random() * 50,
  // After a failover the old primary is read-only, and the host name leads to the new one.
  reconnectOnError: (error) => error.message.startsWith("READONLY"),
  // HELLO of protocol 3 carries the password, and old servers repeat its arguments in errors.
  protocol: 2,
} satisfies RedisOptions;

/**
 * Connects to Redis and reconnects after each loss. Resolves after a second without a connection too, so that
 * the service starts.
 */
export async function connectCache(url: string, log: Logger): Promise<Cache> {
  // Loading these packages takes a tenth of the start time of a service without Redis.
  const { TimedRedis } = await import("./timed-redis.ts");
  const client = new TimedRedis(url, options);
  reportOutages(client, log);
  await waitForEvent(client, "ready", firstConnectionMs);
  return {
    client,
    async ping() {
      await client.ping();
    },
    async close() {
      const isConnected = client.status !== "reconnecting" && client.status !== "end";
      client.disconnect();
      if (isConnected) await waitForEvent(client, "end", goodbyeMs + 100);
    },
  };
}

/** Resolves when the event fires or when the time is up. */
async function waitForEvent(client: Redis, event: string, longestMs: number): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), longestMs);
  await once(client, event, { signal: waiting.signal }).catch(() => {});
  clearTimeout(timer);
}

/** Logs only when an outage starts and ends. */
function reportOutages(client: Redis, log: Logger): void {
  let isDown = false;
  client.on("error", (error: Error) => {
    if (isDown) return;
    isDown = true;
    // Only the message: an error of ioredis also holds the failed command, which can be AUTH.
    log.warn({ reason: messageOf(error) }, "Redis cannot be reached");
  });
  client.on("ready", () => {
    if (isDown) log.info("Redis is reachable again");
    isDown = false;
  });
}

/** If a host has several addresses, its error has no message of its own. */
function messageOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => messageOf(one)).join("; ");
  return error.message;
}

/**
 * Removes the failed command from an error of Redis before it is logged: its keys and values hold personal
 * data. Old servers also repeat it in the message.
 */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(/, with args beginning with:.*/s, "");
  return "command" in error || message !== error.message ? new Error(`Redis: ${message}`) : error;
}
