import { describe, expect, test } from "vitest";
import { openStore } from "../../../support/monitoring-file.ts";
import { requestRecord, storePath } from "../../../support/monitoring-store.ts";

const at = Date.UTC(2026, 10, 20, 12, 0);
const uuid = "0d9f1f3c-36a5-4c55-9b90-58a1ad7d1c11";
const open = () => openStore(storePath(), { retentionDays: 10_000 });

describe("recent requests", () => {
  test("newest first, at most so many, of one status class or of all", () => {
    const { file, read } = open();
    const statuses = [200, 404, 500, 301, 499, 599, 201];
    const records = statuses.map((status, index) =>
      requestRecord({ requestId: `r-${index}`, at: at + index, status }),
    );
    file.write({ records: records.slice(3), logs: [] });
    file.write({ records: records.slice(0, 3), logs: [] });
    const ids = (status: "2xx" | "3xx" | "4xx" | "5xx" | null, limit = 50) =>
      read("recent", { status, limit, now: at + 10 }).requests.map(({ request_id }) => request_id.slice(2));
    expect(ids(null)).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
    expect(ids(null, 2)).toEqual(["6", "5"]);
    expect([ids("2xx"), ids("3xx"), ids("4xx"), ids("5xx")]).toEqual([
      ["6", "0"],
      ["3"],
      ["4", "1"],
      ["5", "2"],
    ]);
    expect(ids("5xx", 1)).toEqual(["5"]);
    file.close();
  });

  test("those that a clock has dated in the future wait until then, though their traces are there", () => {
    const { file, read } = open();
    const dated = (requestId: string, ms: number) => requestRecord({ requestId, at: at + ms });
    file.write({
      records: [dated("now", 0), dated("soon", 59_000), dated("tomorrow", 86_400_000)],
      logs: [],
    });
    const ids = (now: number) =>
      read("recent", { status: null, limit: 9, now }).requests.map(({ request_id }) => request_id);
    expect(ids(at)).toEqual(["soon", "now"]);
    expect(read("trace", { requestId: "tomorrow" })).not.toBeNull();
    expect(ids(at + 86_400_000)).toEqual(["tomorrow", "soon", "now"]);
    file.close();
  });

  test("ids that are UUIDs and ids that are not come back as they were", () => {
    const { file, read } = open();
    // biome-ignore format: one case a line
    const ids = [uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `${uuid}0`, `${uuid.slice(0, -1)}g`, "-".repeat(36), "007", "a:b.c-d_e"];
    for (const id of ids) {
      file.write({ records: [requestRecord({ requestId: id, userId: id })], logs: [] });
      expect(read("trace", { requestId: id })?.request).toMatchObject({ request_id: id, user_id: id });
    }
    file.close();
  });
});

describe("the trace of a request", () => {
  test("has the request, its steps in their order, the masked failure and its logs", () => {
    const { file, read } = open();
    const failed = requestRecord({
      requestId: uuid,
      at: at + 0.7,
      status: 500,
      errorCode: "DATABASE_ERROR",
      steps: { names: ["auth", "hook:before_create", "sql"], times: [0.1234, 0.5, 0.7, 1, 1.75, 2.25] },
      failure: { message: "for a@example.com", stack: "Error: for a@example.com\n    at here" },
    });
    const line = { at: at + 1, level: "warn", message: "slow", requestId: uuid, fields: '{"table":"books"}' };
    const logs = [{ ...line, at: at + 2, level: "error" }, line, { ...line, requestId: "another" }];
    file.write({ records: [failed], logs: [...logs, { ...line, requestId: null }] });
    expect(read("trace", { requestId: uuid })).toEqual({
      request: {
        request_id: uuid,
        method: "GET",
        route: "/books/fetch",
        model: "books",
        operation: "fetch",
        status: 500,
        duration_ms: 1.5,
        bytes: 100,
        at: new Date(at).toISOString(),
        user_id: null,
        role: "guest",
        error: "DATABASE_ERROR",
      },
      steps: [
        { name: "auth", at_ms: 0.123, duration_ms: 0.5 },
        { name: "hook:before_create", at_ms: 0.7, duration_ms: 1 },
        { name: "sql", at_ms: 1.75, duration_ms: 2.25 },
      ],
      errors: [
        { code: "DATABASE_ERROR", message: "for [masked]", stack: "Error: for [masked]\n    at here" },
      ],
      logs: [
        { at: new Date(at + 1).toISOString(), level: "warn", message: "slow", fields: { table: "books" } },
        { at: new Date(at + 2).toISOString(), level: "error", message: "slow", fields: { table: "books" } },
      ],
    });
    expect(read("trace", { requestId: "none" })).toBeNull();
    file.close();
  });

  test("of an id that was used again is the latest, whichever was written last", () => {
    const { file, read } = open();
    const log = { level: "warn", requestId: "again", fields: "{}" };
    const later = requestRecord({ requestId: "again", at: at + 10, bytes: 2 });
    const earlier = requestRecord({
      requestId: "again",
      at,
      bytes: 1,
      steps: { names: ["sql"], times: [1, 1] },
    });
    file.write({ records: [later], logs: [{ ...log, at: at + 11, message: "later" }] });
    file.write({ records: [earlier, earlier], logs: [{ ...log, at: at + 1, message: "earlier" }] });
    const trace = read("trace", { requestId: "again" });
    expect(trace?.request.bytes).toBe(2);
    expect(trace?.steps).toEqual([]);
    expect(trace?.logs.map(({ message }) => message)).toEqual(["later"]);
    file.close();
  });

  test("of a name that thousands of requests have is the latest, with a bounded number of lines", () => {
    const { file, read } = open();
    const log = { level: "warn", requestId: "same", fields: "{}", message: "m" };
    for (let batch = 0; batch < 5; batch++) {
      const records = Array.from({ length: 1_000 }, (_, index) =>
        requestRecord({ requestId: "same", at: at + batch * 1_000 + index, bytes: batch * 1_000 + index }),
      );
      file.write({ records, logs: records.map(() => ({ ...log, at: at + 10_000 })) });
    }
    const trace = read("trace", { requestId: "same" });
    expect(trace?.request.bytes).toBe(4_999);
    expect(trace?.logs).toHaveLength(1_000);
    file.close();
  });

  test("a token that a caller took for the id of a request is kept nowhere, and finds the request", () => {
    const { file, read } = open();
    const requestId = `kk_${"0af9".repeat(16)}`;
    const line = { at: at + 1, level: "warn", message: "slow", requestId: "[masked]", fields: "{}" };
    file.write({ records: [requestRecord({ requestId, at, userId: "ann@example.org" })], logs: [line] });
    const trace = read("trace", { requestId });
    expect(trace?.request).toMatchObject({ request_id: "[masked]", user_id: "[masked]" });
    expect(trace?.logs).toHaveLength(1);
    file.close();
  });

  test("a stack without an end is cut off, and a failure without a stack has none", () => {
    const { file, read } = open();
    const records = [
      requestRecord({ requestId: "long", failure: { message: "m".repeat(1e6), stack: "s".repeat(1e6) } }),
      requestRecord({ requestId: "none", failure: { message: "m", stack: null } }),
    ];
    file.write({ records, logs: [] });
    const [error] = read("trace", { requestId: "long" })?.errors ?? [];
    expect([error?.message.length, error?.stack?.length]).toEqual([4_000, 16_000]);
    expect(read("trace", { requestId: "none" })?.errors).toEqual([{ code: "INTERNAL_ERROR", message: "m" }]);
    file.close();
  });
});
