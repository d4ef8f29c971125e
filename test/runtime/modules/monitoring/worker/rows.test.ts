import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type {
  LogRecord,
  McpCallRecord,
  MonitoringRecord,
  RequestRecord,
} from "#runtime/modules/monitoring/records/monitoring-records";
import { openDatabase } from "#runtime/modules/monitoring/worker/database/open-database";
import { trace } from "#runtime/modules/monitoring/worker/reads/request-trace";
import { RowWriter } from "#runtime/modules/monitoring/worker/rows/row-writer";
import {
  isJournalLong,
  sizeLimit,
  truncateJournal,
} from "#runtime/modules/monitoring/worker/rows/size-limit";
import { openStore, requestRecord, storePath } from "../../../../support/monitoring-store.ts";
import { seeded } from "../../../../support/seeded.ts";

const at = Date.UTC(2026, 10, 20, 12, 0);
/** Requests of one statement. */
const rowsAtOnce = 555;

function open() {
  const database = openDatabase(storePath(), { maxPages: 10_000, journalPages: 1_000 });
  const count = (table: string) =>
    database.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0;
  return { database, count, writer: new RowWriter(database) };
}

/** So many distinct records; every third has steps, every fourth a failure. */
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
    // biome-ignore format: many a line
    const call: McpCallRecord = {
      kind: "mcp_call", at, server: "own", tool: "search", operationRef: null, caller: null, status: "ok",
      errorCode: null, confirmation: null, durationMs: 1,
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
    // A series that did not exist before.
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

const megabyte = 1024 * 1024;
const dayMs = 86_400_000;
const size = (path: string) =>
  ["", "-wal"].reduce((sum, part) => sum + (statSync(path + part, { throwIfNoEntry: false })?.size ?? 0), 0);

const random = seeded(11);
const hex = () =>
  Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
const someId = () =>
  `${hex()}-${hex().slice(0, 4)}-4${hex().slice(0, 3)}-a${hex().slice(0, 3)}-${hex()}${hex().slice(0, 4)}`;
const log = (at: number, message = "m"): LogRecord => ({
  at,
  level: "warn",
  message,
  requestId: null,
  fields: "{}",
});

/** Each minute says the same as its rows. */
function expectConsistent(read: ReturnType<typeof openStore>["read"], now: number): void {
  const day = { now, windowSeconds: 2_592_000 };
  const { routes } = read("routes", day);
  const summary = read("summary", day);
  expect(summary.requests).toBe(routes.reduce((sum, one) => sum + one.requests, 0));
  expect(summary.errors_5xx).toBe(routes.reduce((sum, one) => sum + one.errors_5xx, 0));
  expect(summary.duration_ms.max).toBe(Math.max(...routes.map((one) => one.max_ms)));
  const average = routes.reduce((sum, one) => sum + one.avg_ms * one.requests, 0) / summary.requests;
  expect(summary.duration_ms.avg).toBeCloseTo(average, 6);
  expect(read("histogram", day).total).toBe(summary.requests);
}

test("the file stays below its cap with its journal, and the latest of all kinds are in it", () => {
  const path = storePath();
  const { file, read, said } = openStore(path, { maxDatabaseMb: 4 });
  const begin = Date.now() - 3_600_000;
  let now = begin;
  for (let batch = 0; batch < 150; batch++) {
    now = begin + batch * 10_000;
    const records = Array.from({ length: 500 }, (_, index) =>
      requestRecord({
        requestId: someId(),
        at: now + index,
        status: index % 50 === 0 ? 500 : 200,
        durationMs: random() * 100,
        steps: { names: ["auth", "sql"], times: [0, 1, 1, 1 + random()] },
      }),
    );
    const logs = Array.from({ length: 10 }, (_, index) => log(now + index, `${batch} `.repeat(40)));
    file.write({ records, logs });
    file.maintain();
    expect(size(path)).toBeLessThanOrEqual(4 * megabyte);
  }
  expect(said).toEqual([]);
  expectConsistent(read, now + 1_000);
  const { requests } = read("summary", { now: now + 1_000, windowSeconds: 2_592_000 });
  expect(requests).toBeGreaterThan(10_000);
  expect(requests).toBeLessThan(60_000);
  const [latest] = read("recent", { limit: 1, status: null }).requests;
  expect(latest?.at).toBe(new Date(now + 499).toISOString());
  expect(read("trace", { requestId: latest?.request_id ?? "" })?.steps).toHaveLength(2);
  file.close();
});

test("records larger than the reserved free space are still stored", () => {
  const path = storePath();
  const { file, read, said } = openStore(path, { maxDatabaseMb: 1 });
  for (let batch = 0; batch < 40; batch++) {
    const logs = Array.from({ length: 20 }, () => log(Date.now(), "x".repeat(15_000)));
    file.write({ records: [requestRecord({ requestId: `r-${batch}` })], logs });
    file.maintain();
    expect(statSync(path).size).toBeLessThanOrEqual(megabyte);
  }
  expect(read("trace", { requestId: "r-39" })).not.toBeNull();
  expect(said).toEqual([]);
  file.close();
});

test("the journal grows during a read, and shrinks after it", () => {
  const path = storePath();
  const limit = sizeLimit(8);
  const [database, reader] = [openDatabase(path, limit), openDatabase(path, limit)];
  // The worker waits for readers.
  database.pragma("busy_timeout = 0");
  const writer = new RowWriter(database);
  let written = 0;
  // Consecutive ids: a batch changes few pages of their index.
  const longAfter = (batches: number) =>
    Array.from({ length: batches }, () => {
      const records = Array.from({ length: 100 }, () => requestRecord({ requestId: `r-${1e6 + written++}` }));
      writer.write({ records, logs: [] });
      return isJournalLong(path, limit);
    });
  expect(longAfter(200)).not.toContain(true);
  reader.exec("begin; select count(*) from http_requests");
  expect(longAfter(100).at(-1)).toBe(true);
  truncateJournal(database);
  expect(isJournalLong(path, limit)).toBe(true);
  reader.exec("commit");
  truncateJournal(database);
  expect(longAfter(200)).not.toContain(true);
  for (const one of [database, reader]) one.close();
});

test("a smaller cap than before shrinks the file", () => {
  const path = storePath();
  const large = openStore(path, { maxDatabaseMb: 20 });
  for (let batch = 0; batch < 60; batch++) {
    const at = Date.now() - 600_000 + batch * 1_000;
    large.file.write({
      records: Array.from({ length: 1_000 }, () => requestRecord({ requestId: someId(), at })),
      logs: [],
    });
  }
  large.file.close();
  expect(size(path)).toBeGreaterThan(4 * megabyte);
  const { file, read } = openStore(path, { maxDatabaseMb: 2 });
  for (let round = 0; round < 40; round++) file.maintain();
  expect(size(path)).toBeLessThanOrEqual(2 * megabyte);
  expectConsistent(read, Date.now());
  file.close();
});

test("records older than the retention are removed when the store is opened, and with each tenth batch", () => {
  const path = storePath();
  const now = Date.now();
  const ages = [0.5, 1.9, 2.1, 3, 6.9, 7.1];
  const records = ages.map((age) => requestRecord({ requestId: `age-${age}`, at: now - age * dayMs }));
  const first = openStore(path);
  first.file.write({ records, logs: ages.map((age) => log(now - age * dayMs)) });
  const ids = (read: typeof first.read) =>
    read("recent", { limit: 9, status: null }).requests.map((one) => one.request_id);
  expect(ids(first.read)).toHaveLength(6);
  for (let batch = 0; batch < 9; batch++) first.file.maintain();
  expect(ids(first.read)).toHaveLength(6);
  first.file.maintain();
  expect(ids(first.read)).toEqual(["age-0.5", "age-1.9", "age-2.1", "age-3", "age-6.9"]);
  first.file.close();

  const second = openStore(path, { retentionDays: 2 });
  expect(ids(second.read)).toEqual(["age-0.5", "age-1.9"]);
  expectConsistent(second.read, now);
  expect(second.read("trace", { requestId: "age-3" })).toBeNull();
  second.file.close();
});

test("a partly removed minute counts its remaining requests", () => {
  const path = storePath();
  const now = Date.now();
  const minute = Math.floor((now - 7 * dayMs) / 60_000) * 60_000;
  const records = Array.from({ length: 1_200 }, (_, index) =>
    requestRecord({ at: minute + index * 100, durationMs: index + 1, status: index % 2 ? 500 : 200 }),
  );
  const before = openStore(path, { retentionDays: 8 });
  before.file.write({ records, logs: [] });
  before.file.close();
  const { file, read } = openStore(path);
  const left = read("recent", { limit: 2_000, status: null }).requests.length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(1_200);
  expectConsistent(read, now);
  file.close();
});
