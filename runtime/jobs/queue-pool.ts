import pg from "pg";
import type { Logger } from "pino";
import { withTimeout } from "../concurrency/index.ts";

const connectTimeoutMs = 5_000;

export interface QueuePoolOptions {
  /** PostgreSQL itself: workers listen for jobs, which no pooler passes on. */
  readonly url: string;
  readonly log: Logger;
  readonly maxConnections: number;
  /** A connection that is held for longer is asked whether it is still there. */
  readonly heldMs?: number;
  /** How long that may take. */
  readonly answerMs?: number;
}

/** The connections of the queue's own statements, as graphile-worker wants them. Jobs have others. */
export function queuePool(options: QueuePoolOptions): pg.Pool {
  const { url, log, maxConnections, heldMs = 30_000, answerMs = 10_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "kirak jobs",
  });
  const complain = (error: Error) => log.warn({ err: error }, "a database connection of the jobs was lost");
  // Without a listener a connection that is lost would end the process.
  pool.on("error", complain);
  pool.on("connect", (client) => client.on("error", complain));
  const connected = new Set<pg.PoolClient>();
  clients.set(pool, connected);
  pool.on("connect", (client) => connected.add(client));
  pool.on("remove", (client) => connected.delete(client));
  watchHeld(pool, heldMs, answerMs);
  releaseOnce(pool);
  return pool;
}

/**
 * graphile-worker gives the connection that it listens on back twice where it is stopped while its LISTEN is under way, and that fails.
 * The second time would throw where nobody catches it, which ends the process.
 */
function releaseOnce(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool);
  type Given = Parameters<typeof connect>[0];
  const value = (given?: Given) => {
    if (given === undefined) return connect();
    return connect((error, client, release) => {
      let isReleased = false;
      given(error, client, (reason?: Error | boolean) => {
        if (!isReleased) release(reason);
        isReleased = true;
      });
    });
  };
  Object.defineProperty(pool, "connect", { value });
}

/** Those that are connected, of each pool. */
const clients = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

/** Closes its connections; after that time without a goodbye, on which a server that is silent would have the process wait. */
export async function endWithin(pool: pg.Pool, longestMs: number): Promise<void> {
  await withTimeout(pool.end(), longestMs, "the database does not answer").catch(() => {
    for (const client of clients.get(pool) ?? []) {
      // Told of it, the library would release once more a client that it says goodbye on, and nobody would catch what that throws.
      client.removeAllListeners("error").on("error", () => {});
      client.connection.stream.destroy();
    }
  });
}

/**
 * Gives up connections that have gone silent, which else would be waited for until TCP gives up, a quarter of an hour later. One statement
 * takes a moment; who holds a connection for longer listens on it, and may have been forgotten by a firewall.
 */
function watchHeld(pool: pg.Pool, heldMs: number, answerMs: number): void {
  const watches = new WeakMap<pg.PoolClient, NodeJS.Timeout>();
  const look = (client: pg.PoolClient) => {
    const giveUp = () => void client.connection.stream.destroy();
    // A statement is under way, all this time.
    if (Reflect.get(client, "readyForQuery") !== true) return giveUp();
    const silent = setTimeout(giveUp, answerMs).unref();
    client.query("select 1").then(
      () => clearTimeout(silent),
      () => clearTimeout(silent),
    );
  };
  pool.on("acquire", (client) => {
    watches.set(client, setInterval(() => look(client), heldMs).unref());
  });
  const forget = (client: pg.PoolClient) => clearInterval(watches.get(client));
  pool.on("release", (_error, client) => forget(client));
  pool.on("remove", forget);
}
