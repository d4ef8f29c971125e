import type { Reads, RecentRequest } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { idOf, idOrNull } from "../rows/stored-id.ts";
import { iso, ms } from "./span.ts";

/** A request as it is kept, with what its series says. */
export interface RequestRow {
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
export const selectRequests = `
  select http_requests.id, at, method, route, model, operation, status, duration_us, bytes, request_id, user_id, role, error_code
  from http_requests join request_series on request_series.id = series_id`;

/** Clocks of several processes are not the same. */
const aheadMs = 60_000;

/** The latest requests, newest first. One from when the clock was ahead would stand above all others until its time has come. */
export function recent(database: Database, { limit, status, now = Date.now() }: Reads["recent"]["asks"]) {
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

/** A row as it is answered. */
export function recentRequest(row: RequestRow): RecentRequest {
  return {
    request_id: idOf(row.request_id),
    method: row.method,
    route: row.route,
    status: row.status,
    duration_ms: ms(row.duration_us),
    at: iso(row.at),
    user_id: idOrNull(row.user_id),
    role: row.role,
    error: row.error_code,
  };
}
