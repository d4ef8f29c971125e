import type { Logger } from "pino";
import {
  createDatabase,
  type Database,
  type DatabaseOptions,
  type Queryable,
  removeExpiredRows,
  type Statement,
  type TextRow,
} from "../../core/database/index.ts";
import { type Count, type Counter, type CounterStore, type Hit, maxCountersPerCall } from "./rate-limiter.ts";

/** Equals the longest wait of a request for its limit. */
const statementMs = 300;
/** PostgreSQL cancels a statement after 300 ms. A connection that does not respond for longer is dead. */
const silenceMs = 1_000;

/** Separate connections: one counts, one removes expired counters. A crash of PostgreSQL can lose counts. */
export async function connectCounters(
  options: Pick<DatabaseOptions, "url" | "directUrl" | "namedStatements" | "log">,
): Promise<Database> {
  const limits = { statementTimeoutMs: statementMs, lockTimeoutMs: statementMs, answerTimeoutMs: silenceMs };
  const database = createDatabase({ ...options, maxConnections: 2, ...limits, synchronousCommit: false });
  // Connects now: connecting can take longer than a request waits. The first request retries a failure.
  await database.run({ name: null, text: "select" }, []).catch(() => {});
  return database;
}

/** At least one batch, so that removals keep up with new rows. */
const maxRemoved = maxCountersPerCall;
const pauseMs = 5_000;

/** Removes expired counters after batches: a step every five seconds, or after each batch if more remain. */
class ExpiredCounters {
  readonly #connection: Queryable;
  readonly #log: Logger;
  #next = 0;
  #isRunning = false;

  constructor(connection: Queryable, log: Logger) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Starts a step in the background if one is due. */
  afterBatch(): void {
    if (this.#isRunning || performance.now() < this.#next) return;
    this.#isRunning = true;
    void this.#remove();
  }

  async #remove(): Promise<void> {
    let removed = 0;
    try {
      removed = await removeExpiredRows(this.#connection, { table: "kirak_rate_limits", atOnce: maxRemoved });
    } catch (error) {
      this.#log.warn({ err: error }, "cannot remove expired rate limit counters");
    }
    this.#next = removed === maxRemoved ? 0 : performance.now() + pauseMs;
    this.#isRunning = false;
  }
}

/** SQL of a timestamp as Unix time in milliseconds. */
const ms = (moment: string) => `(extract(epoch from ${moment}) * 1000)::bigint`;

/** SQL of the given Unix time, else of the server's clock, cut to milliseconds. */
const now = (value: string) =>
  `date_trunc('milliseconds', coalesce(to_timestamp(${value}::double precision / 1000), clock_timestamp()))`;

/** Locks rows in key order against deadlocks. A shorter window applies at once. */
const countStatement: Statement = {
  name: "kirak_rate_limits_count",
  text: `with moment as materialized (select ${now("$5")} as now),
counted as (
  insert into kirak_rate_limits as counter (key, count, max_requests, window_seconds, expires_at)
  select key, requests, max_requests, window_seconds, now + make_interval(secs => window_seconds)
  from unnest($1::text[], $2::int[], $3::int[], $4::int[]) as hit (key, requests, max_requests, window_seconds), moment
  order by key collate "C"
  on conflict (key) do update set
    count = excluded.count + case when counter.expires_at <= (select now from moment) then 0 else least(counter.count, excluded.max_requests) end,
    expires_at = case when counter.expires_at <= (select now from moment) then excluded.expires_at else least(counter.expires_at, excluded.expires_at) end,
    max_requests = excluded.max_requests,
    window_seconds = excluded.window_seconds
  returning key, count, expires_at
)
select key, count, ${ms("expires_at")}, ${ms("now")} from counted, moment`,
};

const columns = `key, least(count, max_requests), max_requests, window_seconds, ${ms("expires_at")}`;

const listStatement: Statement = {
  name: "kirak_rate_limits_list",
  text: `select ${columns} from kirak_rate_limits
where starts_with(key, $1) and expires_at > ${now("$3")} order by key collate "C" limit $2`,
  reads: true,
};

const findStatement: Statement = {
  name: "kirak_rate_limits_find",
  text: `select ${columns} from kirak_rate_limits where key = $1 and expires_at > ${now("$2")}`,
  reads: true,
};

const resetStatement: Statement = {
  name: "kirak_rate_limits_reset",
  text: `delete from kirak_rate_limits where key = $1 returning expires_at > ${now("$2")}`,
};

interface PostgresWindowOptions {
  readonly database: Queryable;
  /** Default `database`. */
  readonly counting?: Queryable;
  readonly log: Logger;
  /** Clock in milliseconds; default PostgreSQL's. */
  readonly now?: (() => number) | null;
}

/** Fixed window counters in the table `kirak_rate_limits`. */
export class PostgresWindow implements CounterStore {
  readonly #database: Queryable;
  readonly #counting: Queryable;
  readonly #expired: ExpiredCounters;
  readonly #now: (() => number) | null;

  constructor({ database, counting = database, log, now = null }: PostgresWindowOptions) {
    this.#database = database;
    this.#counting = counting;
    this.#expired = new ExpiredCounters(counting, log);
    this.#now = now;
  }

  async count(hits: readonly Hit[]): Promise<readonly Count[]> {
    const rows = await this.#counting.run(countStatement, [
      hits.map(({ key }) => key),
      hits.map(({ requests }) => requests),
      hits.map(({ limit }) => limit.maxRequests),
      hits.map(({ limit }) => limit.windowSeconds),
      this.#moment(),
    ]);
    this.#expired.afterBatch();
    const byKey = new Map(rows.map((row) => [row[0], row]));
    return hits.map((hit) => countOf(hit, byKey.get(hit.key)));
  }

  async list(prefix: string, limit: number): Promise<readonly Counter[]> {
    const rows = await this.#database.run(listStatement, [prefix, limit, this.#moment()]);
    return rows.map(counterOf);
  }

  async find(key: string): Promise<Counter | null> {
    const [row] = await this.#database.run(findStatement, [key, this.#moment()]);
    return row === undefined ? null : counterOf(row);
  }

  async reset(key: string): Promise<boolean> {
    const [row] = await this.#database.run(resetStatement, [key, this.#moment()]);
    return row?.[0] === "t";
  }

  #moment(): number | null {
    return this.#now === null ? null : this.#now();
  }
}

function countOf({ requests, limit: { maxRequests } }: Hit, row: TextRow | undefined): Count {
  if (row === undefined) throw new Error("PostgreSQL returned no row for a counter");
  const count = Number(row[1]);
  const before = count - requests;
  return {
    granted: Math.min(requests, Math.max(0, maxRequests - before)),
    used: Math.min(count, maxRequests),
    resetAt: Number(row[2]),
    now: Number(row[3]),
  };
}

function counterOf([key, count, maxRequests, windowSeconds, resetAt]: TextRow): Counter {
  return {
    key: key ?? "",
    count: Number(count),
    maxRequests: Number(maxRequests),
    windowSeconds: Number(windowSeconds),
    resetAt: Number(resetAt),
  };
}
