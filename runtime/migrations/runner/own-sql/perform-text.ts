import pg from "pg";
import { StepFailure } from "../apply/perform.ts";
import { type Watch, withProgressLog } from "../apply/watch-progress.ts";
import type { Change } from "../plan/migration-change.ts";

/** Where in its migration a text stands, for people. */
export function describePlace({ sql }: Change, at: number): string {
  const count = sql?.texts.length ?? 0;
  return count === 1 ? "its SQL" : `text ${at + 1} of ${count}`;
}

/** Runs a text of own SQL on a connection. Throws a StepFailure. */
export async function runText(
  connection: pg.ClientBase,
  change: Change,
  place: string,
  sql: string,
  watch: Watch,
): Promise<void> {
  const what = `${change.migration.name}, ${place}`;
  watch.log.debug({ migration: change.migration.name }, what);
  const { rows } = await connection.query<{ pid: number }>("select pg_backend_pid() as pid");
  try {
    await withProgressLog(watch, what, rows[0]?.pid ?? 0, () => connection.query(sql));
  } catch (error) {
    throw new StepFailure(change, place, error, lineOf(sql, error));
  }
}

/** The line of a text that an error is about. */
export function lineOf(sql: string, error: unknown): string {
  const position = error instanceof pg.DatabaseError ? Number(error.position ?? Number.NaN) : Number.NaN;
  if (Number.isNaN(position)) return "";
  return ` (line ${[...sql].slice(0, position).join("").split("\n").length})`;
}
