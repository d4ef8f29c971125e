import type { Reads, RequestTrace } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { hashOf, idOf, storedId } from "../rows/stored-id.ts";
import { type RequestRow, recentRequest, selectRequests } from "./recent.ts";
import { iso, ms } from "./span.ts";

/** The latest request of that id, with its steps, errors and logs. */
export function trace(database: Database, { requestId }: Reads["trace"]["asks"]): RequestTrace | null {
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
  const stored = storedId(requestId);
  const byId = database.prepare<[number, Buffer | string], RequestRow>(
    `${selectRequests} where http_requests.id = ? and request_id = ?`,
  );
  let latest: RequestRow | null = null;
  for (const id of candidates(database, hashOf(idOf(stored)))) {
    const row = byId.get(id, stored);
    if (row === undefined) continue;
    if (latest === null || row.at > latest.at || (row.at === latest.at && row.id > latest.id)) latest = row;
  }
  return latest;
}

/** Callers name their requests: a million of them may have one name, or names of one hash. */
const mostCandidates = 2_000;

/** The newest rows whose request ids have that hash. */
function candidates(database: Database, hash: number): number[] {
  const keys = database.prepare<[], { first_id: number; hashes: Uint8Array }>(
    "select first_id, hashes from request_keys order by first_id desc",
  );
  const found: number[] = [];
  for (const { first_id, hashes } of keys.iterate()) {
    const aligned = hashes.byteOffset % 4 === 0 ? hashes : new Uint8Array(hashes);
    const numbers = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
    let index = numbers.lastIndexOf(hash);
    while (index !== -1 && found.length < mostCandidates) {
      found.push(first_id + index);
      index = index === 0 ? -1 : numbers.lastIndexOf(hash, index - 1);
    }
    if (found.length === mostCandidates) break;
  }
  return found;
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

/** The first of them. Those of requests before that had the same id are not meant. */
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
