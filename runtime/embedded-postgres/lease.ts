import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";

const leaseName = "kirak lease";
const reconnectAttempts = 100;
const reconnectDelayMs = 100;

/** A connection that one process holds on to as long as it needs the server: the last one to leave stops it. */
export interface Lease {
  /** Gives it up. Tells whether nobody else holds one. */
  end(): Promise<boolean>;
}

/** Rejects as `pg` does when the server does not take the connection. */
export async function takeLease(url: string, log: Logger): Promise<Lease> {
  let ended = false;
  let client = await open(url, lost);

  async function lost(): Promise<void> {
    if (ended) return;
    log.warn("the embedded PostgreSQL closed its connections; it restarts itself after a crash");
    for (let attempt = 1; attempt <= reconnectAttempts && !ended; attempt++) {
      await sleep(reconnectDelayMs, undefined, { ref: false });
      try {
        client = await open(url, lost);
        return;
      } catch {}
    }
    if (!ended) log.error("the embedded PostgreSQL is gone: start the service again");
  }

  return {
    async end() {
      ended = true;
      const others = await countOthers(client);
      await client.end().catch(() => {});
      return others === 0;
    },
  };
}

async function open(url: string, onEnd: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: leaseName,
    connectionTimeoutMillis: 5000,
  });
  client.on("error", () => {});
  await client.connect();
  client.on("end", onEnd);
  return client;
}

/** Of several that leave at once the last to take its name away sees none. */
async function countOthers(client: pg.Client): Promise<number> {
  try {
    await client.query("set application_name = 'kirak leaving'");
    const { rows } = await client.query<{ others: number }>(
      "select count(*)::int as others from pg_stat_activity where application_name = $1",
      [leaseName],
    );
    return rows[0]?.others ?? 0;
  } catch {
    return 0;
  }
}
