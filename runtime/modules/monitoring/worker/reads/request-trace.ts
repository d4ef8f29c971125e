import type { Reads, RecentRequest, RequestTrace } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { idOf, storedId } from "../rows/row-writer.ts";
import { iso, ms } from "./requests.ts";

/** The latest request with this id, with its steps, errors and logs. Null if the id is unknown. */
export function trace(database: Database, { requestId }: Reads["trace"]["args"]): RequestTrace | null {
  const row = latestOf(database, requestId);
  if (row === null) return null;
  const { model, operation, bytes } = row;
  return {
    request: { ...recentRequest(row), model, operation, bytes },
    steps: stepsOf(database, row.id),
    errors: errorsOf(database, row.id),
    logs: logsOf(database, row),
  };
}

function latestOf(database: Database, requestId: string): RequestRow | null {
  const byId = database.prepare<[Buffer | string], RequestRow>(
    `${selectRequests} where request_id = ? order by at desc, http_requests.id desc limit 1`,
  );
  return byId.get(storedId(requestId)) ?? null;
}

function stepsOf(database: Database, id: number): RequestTrace["steps"] {
  const packed = database
    .prepare<[number], string>("select steps from request_steps where http_request_id = ?")
    .pluck()
    .get(id);
  const values: (string | number)[] = packed === undefined ? [] : JSON.parse(packed);
  return Array.from({ length: Math.floor(values.length / 3) }, (_, index) => ({
    name: String(values[index * 3]),
    at_ms: ms(Number(values[index * 3 + 1])),
    duration_ms: ms(Number(values[index * 3 + 2])),
  }));
}

function errorsOf(database: Database, id: number): RequestTrace["errors"] {
  const rows = database.prepare<[number], { code: string; message: string; stack: string | null }>(
    "select code, message, stack from request_errors where http_request_id = ?",
  );
  return rows.all(id).map(({ stack, ...error }) => (stack === null ? error : { ...error, stack }));
}

const mostLogs = 1_000;

/** The first lines since the start of the request: earlier lines belong to earlier requests with its id. */
function logsOf(database: Database, { request_id, at }: RequestRow): RequestTrace["logs"] {
  const rows = database.prepare<
    [Buffer | string, number],
    { at: number; level: string; message: string; fields: string }
  >(
    `select at, level, message, fields from logs where request_id = ? and at >= ? order by at, id limit ${mostLogs}`,
  );
  return rows.all(request_id, at).map((row) => ({
    at: iso(row.at),
    level: row.level,
    message: row.message,
    fields: JSON.parse(row.fields),
  }));
}

/** A stored request with the names of its series. */
interface RequestRow {
  readonly id: number;
  readonly at: number;
  readonly method: string;
  readonly route: string;
  readonly model: string | null;
  readonly operation: string | null;
  readonly status: number;
  readonly duration_us: number;
  readonly bytes: number;
  readonly request_id: Buffer | string;
  readonly user_id: Buffer | string | null;
  readonly role: string | null;
  readonly error_code: string | null;
}

/** Selects `RequestRow`s. */
const selectRequests = `
  select http_requests.id, at, method, route, model, operation, status, duration_us, bytes, request_id, user_id, role, error_code
  from http_requests join request_series on request_series.id = series_id`;

/** Clocks of processes differ. */
const aheadMs = 60_000;

/** The latest requests, newest first, without requests from the future (a clock was ahead). */
export function recent(database: Database, { limit, status, now = Date.now() }: Reads["recent"]["args"]) {
  const lowest = status === null ? 0 : Number(status[0]) * 100;
  const rows = database.prepare<[object], RequestRow>(
    `${selectRequests}
     where http_requests.id in (
       select id from http_requests indexed by http_requests_by_time
       where status >= @lowest and status < @beyond and at < @latest order by at desc, id desc limit @limit
     )
     order by at desc, http_requests.id desc`,
  );
  const beyond = status === null ? Number.MAX_SAFE_INTEGER : lowest + 100;
  return { requests: rows.all({ lowest, beyond, limit, latest: now + aheadMs }).map(recentRequest) };
}

/** A row as in the response. */
function recentRequest(row: RequestRow): RecentRequest {
  return {
    request_id: idOf(row.request_id),
    method: row.method,
    route: row.route,
    status: row.status,
    duration_ms: ms(row.duration_us),
    at: iso(row.at),
    user_id: row.user_id === null ? null : idOf(row.user_id),
    role: row.role,
    error: row.error_code,
  };
}
