import { withTimeout } from "../concurrency/index.ts";
import type { Queryable } from "../database/index.ts";
import { jobsTable } from "./queue-tables.ts";

/** How much there is to do (decisions, part 11). */
export interface QueueFigures {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** How long the oldest job that could run waits; 0 where none does. */
  readonly oldestSeconds: number;
}

/** Each part has an index that holds what it asks for. */
const figures = `select
  (select count(*) from ${jobsTable} where is_available),
  (select count(*) from ${jobsTable} where locked_by is not null),
  (select count(*) from ${jobsTable} where locked_by is null and attempts >= max_attempts),
  coalesce((select greatest(0, extract(epoch from now() - run_at)) from ${jobsTable}
    where is_available order by priority, run_at limit 1), 0)`;

/** Both figures of one scrape come from one answer; whoever asks so soon shares it. */
const sharedMs = 1_000;
/** Who scrapes waits no longer. */
const longestMs = 3_000;

/** Asks the queue for monitoring, which goes on where the database does not answer, or has no queue: null. */
export function figuresForMonitoring(connection: Queryable): () => Promise<QueueFigures | null> {
  let last: { readonly answer: Promise<QueueFigures | null>; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (last === null || now - last.at > sharedMs) {
      const answer = withTimeout(queueFigures(connection), longestMs, "too late").catch(() => null);
      last = { answer, at: now };
    }
    return last.answer;
  };
}

/** Asks the queue, by one statement. */
export async function queueFigures(connection: Queryable): Promise<QueueFigures> {
  const [row = []] = await connection.run({ name: "kirak_queue_figures", text: figures }, []);
  const [waiting, running, dead, oldestSeconds] = row.map(Number);
  return {
    waiting: waiting ?? 0,
    running: running ?? 0,
    dead: dead ?? 0,
    oldestSeconds: oldestSeconds ?? 0,
  };
}
