import { describe, expect, test } from "vitest";
import type {
  McpCallRecord,
  MonitoringRecord,
  RequestRecord,
} from "#runtime/monitoring/records/monitoring-records";
import { openDatabase } from "#runtime/monitoring/worker/database/open-database";
import { trace } from "#runtime/monitoring/worker/reads/request-trace";
import { RowWriter } from "#runtime/monitoring/worker/rows/row-writer";
import { requestRecord, storePath } from "../../../support/monitoring-store.ts";

const at = Date.UTC(2026, 10, 20, 12, 0);
/** Requests of one statement. */
const rowsAtOnce = 555;

function open() {
  const database = openDatabase(storePath(), { maxPages: 10_000, journalPages: 1_000 });
  const count = (table: string) =>
    database.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0;
  return { database, count, writer: new RowWriter(database) };
}

/** So many, each of which differs from the others; every third has steps, every fourth a failure. */
function requests(count: number, name = "r"): RequestRecord[] {
  return Array.from({ length: count }, (_, index) =>
    requestRecord({
      requestId: `${name}-${index}`,
      at: at + index,
      route: `/books/${index % 7}`,
      bytes: index,
      userId: index % 2 === 0 ? null : String(index),
      steps: index % 3 === 0 ? { names: ["sql"], times: [index, 1] } : null,
      failure: index % 4 === 0 ? { message: `${name} ${index}`, stack: null } : null,
    }),
  );
}

/** What the trace of each says of it, as far as it differs from others. */
function traced({ database }: ReturnType<typeof open>, records: readonly RequestRecord[]) {
  return records.map(({ requestId }) => {
    const found = trace(database, { requestId });
    const { route, bytes, user_id } = found?.request ?? {};
    return { requestId, route, bytes, user_id, steps: found?.steps, errors: found?.errors };
  });
}

function expectedTraces(records: readonly RequestRecord[]) {
  return records.map(({ requestId, route, bytes, userId, steps, failure }) => ({
    requestId,
    route,
    bytes,
    user_id: userId,
    steps: steps === null ? [] : [{ name: "sql", at_ms: steps.times[0], duration_ms: 1 }],
    errors: failure === null ? [] : [{ code: "INTERNAL_ERROR", message: failure.message }],
  }));
}

describe("a batch is written whole, and each request has what is its own", () => {
  const sizes = [0, 1, 25, rowsAtOnce, rowsAtOnce + 1];

  test.each(sizes)("of %i requests, twice", (size) => {
    const store = open();
    for (const name of ["first", "second"]) {
      const records = requests(size, name);
      store.writer.write({ records, logs: [] });
      expect(traced(store, records)).toEqual(expectedTraces(records));
    }
    expect(store.count("http_requests")).toBe(2 * size);
    expect(store.count("request_series")).toBe(Math.min(size, 7));
    const counted = store.database.prepare("select sum(requests) from request_minutes").pluck().get();
    expect(counted).toBe(size === 0 ? null : 2 * size);
    store.database.close();
  });

  test("with other records among the requests", () => {
    const store = open();
    const call: McpCallRecord = {
      kind: "mcp_call",
      at,
      server: "own",
      tool: "search",
      operationRef: null,
      caller: null,
      status: "ok",
      errorCode: null,
      confirmation: null,
      durationMs: 1,
    };
    const records = requests(rowsAtOnce + 3);
    const mixed = records.flatMap((record): MonitoringRecord[] => [record, call]);
    store.writer.write({ records: mixed, logs: [] });
    expect(traced(store, records)).toEqual(expectedTraces(records));
    expect(store.count("mcp_calls")).toBe(records.length);
    store.database.close();
  });

  test("where many have one id, one user and one moment", () => {
    const store = open();
    const records = Array.from({ length: rowsAtOnce + 5 }, (_, bytes) =>
      requestRecord({ requestId: "same", at, userId: "ann@example.org", bytes }),
    );
    store.writer.write({ records, logs: [] });
    const [row] = traced(store, records);
    expect(row).toMatchObject({ bytes: rowsAtOnce + 4, user_id: "[masked]" });
    store.database.close();
  });
});

test("of names that differ in where they end, in the method or in what is missing, each has its series", () => {
  const store = open();
  const names = [
    { method: "GET", route: "/a b", model: null, operation: null },
    { method: "GET", route: "/a", model: "b", operation: null },
    { method: "GET", route: "/a", model: null, operation: "b" },
    { method: "POST", route: "/a", model: "b", operation: null },
    { method: "GET", route: "/a", model: null, operation: null },
  ];
  const records = names.map((own, index) => requestRecord({ ...own, requestId: `r-${index}` }));
  for (let batch = 0; batch < 2; batch++) store.writer.write({ records, logs: [] });
  const found = records.map(({ requestId }) => trace(store.database, { requestId })?.request);
  expect(found.map((row) => row && [row.method, row.route, row.model, row.operation])).toEqual(
    names.map(({ method, route, model, operation }) => [method, route, model, operation]),
  );
  expect(store.count("request_series")).toBe(names.length);
  store.database.close();
});

test.each(["in the first statement", "in the last statement"])(
  "a batch that fails %s leaves nothing, and can be written again",
  (where) => {
    const store = open();
    const { database, writer } = store;
    const before = requests(10, "before");
    writer.write({ records: before, logs: [] });
    const bytes = where === "in the first statement" ? 5 : rowsAtOnce + 5;
    database.exec(
      `create trigger refused before insert on http_requests when new.bytes = ${bytes} begin select raise(abort, 'no'); end`,
    );
    // Of a series that nobody knew before.
    const records = requests(rowsAtOnce + 10, "again").map((one) => ({ ...one, model: "authors" }));
    const tables = ["http_requests", "request_series", "request_steps", "request_errors"];
    const counts = tables.map(store.count);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(() => writer.write({ records, logs: [] })).toThrow("no");
      expect(tables.map(store.count)).toEqual(counts);
    }
    database.exec("drop trigger refused");
    writer.write({ records, logs: [] });
    expect(traced(store, [...before, ...records])).toEqual(expectedTraces([...before, ...records]));
    expect(database.prepare("select sum(requests) from request_minutes").pluck().get()).toBe(
      before.length + records.length,
    );
    database.close();
  },
);
