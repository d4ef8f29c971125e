import { relative, sep } from "node:path";
import pg from "pg";
import type { Course } from "../compare.ts";
import { ask, measure, type RunningServer } from "../measure.ts";
import type { Scenario } from "../scenarios.ts";
import type { ProfiledFunction } from "../servers/profiler.ts";

/** What PostgreSQL needs to be started with, to tell of its statements. */
export const profiledSettings = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.track_planning": "on",
};

const mostLines = 25;

/** How a row of `pg_stat_statements` is read: all times in milliseconds, of all calls. */
interface StatementRow {
  readonly calls: string;
  readonly plans: string;
  readonly total_plan_time: number;
  readonly total_exec_time: number;
  readonly shared_blks_hit: string;
  readonly query: string;
}

/** Prints where the time of a request goes: of the server by file, of PostgreSQL by statement. Both take longer while they are looked at. */
export async function printProfile(
  server: RunningServer,
  scenario: Scenario,
  url: string,
  course: Course,
): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("create extension if not exists pg_stat_statements");
  await measure(server, scenario, { ...course, seconds: course.warmUp + course.seconds });
  await client.query("select pg_stat_statements_reset()");
  await ask(server, "profile");
  const { perSecond } = await measure(server, scenario, course);
  const { functions } = await ask<{ functions: readonly ProfiledFunction[] }>(server, "profiled");
  const requests = perSecond * course.seconds;
  console.log(`\n${scenario.name}, ${server.name}: µs of the main thread a request, by file`);
  for (const [file, microseconds] of byFile(functions).slice(0, mostLines))
    console.log(`  ${(microseconds / requests).toFixed(2).padStart(6)}  ${file}`);
  const { rows } = await client.query<StatementRow>(
    "select * from pg_stat_statements where calls > 100 order by total_exec_time + total_plan_time desc",
  );
  for (const row of rows) console.log(`  ${statementLine(row, requests)}`);
  await client.end();
}

function byFile(functions: readonly ProfiledFunction[]): [string, number][] {
  const files = new Map<string, number>();
  for (const { name, file, selfTime } of functions) {
    const place = file === "" ? name : placeOf(file);
    files.set(place, (files.get(place) ?? 0) + selfTime);
  }
  return [...files].sort(([, a], [, b]) => b - a);
}

function placeOf(file: string): string {
  const [, inPackage] = file.split(`node_modules${sep}`);
  return inPackage ?? (file.startsWith("node:") ? file : relative(process.cwd(), file));
}

function statementLine(row: StatementRow, requests: number): string {
  const calls = Number(row.calls);
  const each = (milliseconds: number) => `${((milliseconds * 1000) / calls).toFixed(1)} µs`;
  const times = `planned ${Number(row.plans)} times, ${each(row.total_plan_time)}; run ${each(row.total_exec_time)}`;
  return `${(calls / requests).toFixed(2)} × ${times}; ${(Number(row.shared_blks_hit) / calls).toFixed(0)} pages: ${row.query}`;
}
