import { once } from "node:events";
import type { Redis, RedisOptions } from "ioredis";
import type { Logger } from "pino";

export type { Redis, Result } from "ioredis";

/** The Redis of `SERVICE_REDIS_URL`, which the processes of a service share. */
export interface Cache {
  /** Each command is answered or rejects within 300 ms, at once while there is no connection. */
  readonly client: Redis;
  /** Rejects when Redis cannot be reached. */
  ping(): Promise<void>;
  /** Ends the connection; within half a second, whatever state it is in. */
  close(): Promise<void>;
}

const firstConnectionMs = 1_000;
const goodbyeMs = 300;
const longestPauseMs = 2_000;

const options = {
  // What cannot be answered now is refused now; what was sent before a connection broke must not run on the next one.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 2_000,
  disconnectTimeout: goodbyeMs,
  maxLoadingRetryTime: 500,
  retryStrategy: (attempt) =>
    Math.min(50 * 2 ** Math.min(attempt - 1, 10), longestPauseMs) + Math.random() * 50,
  // After a failover the old primary takes no writes: the name of the host leads to the new one by now.
  reconnectOnError: (error) => error.message.startsWith("READONLY"),
  // HELLO of protocol 3 carries the password, and old servers repeat its arguments in their error.
  protocol: 2,
} satisfies RedisOptions;

/**
 * Connects to Redis, and again whenever the connection is lost. Resolves also where there is none yet: after a second the
 * service starts without it.
 */
export async function connectCache(url: string, log: Logger): Promise<Cache> {
  // Its packages take a tenth of what a service without Redis takes to start.
  const { TimedRedis } = await import("./timed-redis.ts");
  const client = new TimedRedis(url, options);
  reportOutages(client, log);
  await settled(client, "ready", firstConnectionMs);
  return {
    client,
    async ping() {
      await client.ping();
    },
    async close() {
      const isConnected = client.status !== "reconnecting" && client.status !== "end";
      client.disconnect();
      if (isConnected) await settled(client, "end", goodbyeMs + 100);
    },
  };
}

/** Resolves with an event, or without it when the time is up. */
async function settled(client: Redis, event: string, longestMs: number): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), longestMs);
  await once(client, event, { signal: waiting.signal }).catch(() => {});
  clearTimeout(timer);
}

/** Logs the beginning and the end of each outage, and not the attempts between them. */
function reportOutages(client: Redis, log: Logger): void {
  let isDown = false;
  client.on("error", (error: Error) => {
    if (isDown) return;
    isDown = true;
    // The message alone: an error of ioredis also holds the command that failed, and that may be AUTH.
    log.warn({ reason: messageOf(error) }, "Redis cannot be reached");
  });
  client.on("ready", () => {
    if (isDown) log.info("Redis is reachable again");
    isDown = false;
  });
}

/** A host with several addresses fails with an error that has no message of its own. */
function messageOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => messageOf(one)).join("; ");
  return error.message;
}

/**
 * An error of Redis as a log may show it: without the command that failed, whose keys and values hold people's data. Old
 * servers repeat it in their message too.
 */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(/, with args beginning with:.*/s, "");
  return "command" in error || message !== error.message ? new Error(`Redis: ${message}`) : error;
}
