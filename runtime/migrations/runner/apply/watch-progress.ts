import type { Logger } from "pino";
import type { Observer } from "./observer.ts";

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

/** Does something that may take long, and logs from time to time how far it is. `pid` is the server process that does it. */
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
      .catch((error: unknown) => log.debug({ err: error }, "the progress of a step cannot be read"))
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
