import pg from "pg";
import type { Logger } from "pino";
import { endConnection, endsWithin } from "./session-settings.ts";
import type { Timing } from "./timing.ts";

export interface Watch {
  readonly log: Logger;
  readonly progressMs: number;
  readonly observer: Observer;
}

interface Observed {
  readonly phase: string | null;
  readonly percent: number | null;
  readonly blockers: readonly number[];
}

const observation = `
  select p.phase, floor(100.0 * p.blocks_done / nullif(p.blocks_total, 0))::int as percent,
    pg_blocking_pids(w.pid) as blockers
  from (select $1::int as pid) w left join pg_stat_progress_create_index p on p.pid = w.pid`;

/** Runs `work`, and logs its progress every `progressMs`. `pid` is the server process that runs it. */
export async function withProgressLog<T>(
  { log, progressMs, observer }: Watch,
  what: string,
  pid: number,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const state = { isLooking: false, isDone: false };
  const look = async () => {
    const { rows } = await observer.query<Observed>(observation, [pid]);
    if (state.isDone) return;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    log.info(`still working on ${what}: ${[...details(rows[0]), `${seconds} s so far`].join(", ")}`);
  };
  const timer = setInterval(() => {
    if (state.isLooking) return;
    state.isLooking = true;
    void look()
      .catch((error: unknown) => log.debug({ err: error }, "the progress of the step cannot be read"))
      .finally(() => {
        state.isLooking = false;
      });
  }, progressMs);
  try {
    return await work();
  } finally {
    state.isDone = true;
    clearInterval(timer);
  }
}

function details(observed: Observed | undefined): string[] {
  if (observed === undefined) return [];
  const { phase, percent, blockers } = observed;
  return [
    ...(phase === null ? [] : [phase]),
    ...(percent === null ? [] : [`${percent} %`]),
    ...(blockers.length === 0 ? [] : [`waits for the session with pid ${blockers.join(", ")}`]),
  ];
}

/** A second connection that observes the migrating one. It is opened by the first query. */
export class Observer {
  readonly #url: string;
  readonly #timing: Timing;
  #connection: Promise<pg.Client> | null = null;

  constructor(url: string, timing: Timing) {
    this.#url = url;
    this.#timing = timing;
  }

  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    this.#connection ??= this.#connect();
    const client = await this.#connection;
    return client.query<Row>(text, [...values]);
  }

  async close(): Promise<void> {
    const { answerTimeoutMs } = this.#timing;
    const connection = this.#connection?.then((client) => endConnection(client, answerTimeoutMs));
    if (connection !== undefined) await endsWithin(answerTimeoutMs, connection).catch(() => {});
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#timing.connectTimeoutMs,
      application_name: "kirak migrations",
    });
    // The next query opens a new connection.
    const forget = () => {
      this.#connection = null;
    };
    client.on("error", forget);
    await client.connect().catch((error: unknown) => {
      forget();
      throw error;
    });
    return client;
  }
}
