import type { Database } from "../database/sqlite.ts";
import { recountFrom } from "./request-minutes.ts";

/** Tables with a moment of their own. What hangs on their rows goes with them. */
const timedTables = ["http_requests", "logs", "ai_runs", "mcp_calls"] as const;

/** Removes the oldest rows of all tables, up to a moment and some 2 % at most. False where there was nothing to remove. */
export function removeOldest(database: Database, until: number): boolean {
  return database
    .transaction(() => {
      const oldest = timedTables.map((table) => momentsOf(database, table)).filter((one) => one !== null);
      const first = Math.min(...oldest.map((one) => one.first));
      if (first >= until) return false;
      removeThrough(database, Math.min(until - 1, ...oldest.map((one) => one.some)));
      return true;
    })
    .immediate();
}

const mostRows = 2_000;

/** When the oldest row of a table is from, and the last of some of the oldest. */
function momentsOf(database: Database, table: (typeof timedTables)[number]) {
  const bounds = database
    .prepare<[], { lowest: number | null; highest: number | null }>(
      `select (select min(id) from ${table}) as lowest, (select max(id) from ${table}) as highest`,
    )
    .get();
  if (bounds === undefined || bounds.lowest === null || bounds.highest === null) return null;
  const rows = Math.min(mostRows, Math.ceil((bounds.highest - bounds.lowest + 1) / 50));
  const moments = database
    .prepare<[number], { first: number; some: number }>(
      `select min(at) as first, max(at) as some from (select at from ${table} order by at limit ?)`,
    )
    .get(rows);
  return moments ?? null;
}

/** In one transaction. Minutes stay consistent with rows. */
function removeThrough(database: Database, last: number): void {
  const through = { last };
  const run = (sql: string) => database.prepare<[typeof through]>(sql).run(through);
  const requests = "(select id from http_requests where at <= @last)";
  run(`delete from request_steps where http_request_id in ${requests}`);
  run(`delete from request_errors where http_request_id in ${requests}`);
  run("delete from ai_tool_calls where ai_run_id in (select id from ai_runs where at <= @last)");
  for (const table of timedTables) run(`delete from ${table} where at <= @last`);
  const keys =
    "delete from request_keys where last_id < coalesce((select min(id) from http_requests), last_id + 1)";
  database.prepare(keys).run();
  recountFrom(database, last + 1);
}
