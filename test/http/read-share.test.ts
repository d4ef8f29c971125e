import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { sendGraphql } from "../support/graphql.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";

// A pool of ten.
const service = await testService({}, { connecting: { acquireTimeoutMs: 1_500 } });

const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'things'::regclass`;

/** Reads of one caller that wait for a table, over REST and GraphQL. */
const reads = (as: Caller) =>
  Array.from({ length: 4 }, () => [
    service.send({ method: "GET", path: "/things/fetch" }, as),
    service.send({ method: "GET", path: "/things/count" }, as),
    sendGraphql(service, "{ a: things { id } b: things_aggregate { count } }", as),
  ]).flat();

test.each<[string, Caller]>([
  ["a user", { role: "admin", sub: "7" }],
  ["a guest's address", null],
])(
  "reads of %s hold half of the connections; others find one, and what waits too long comes back later",
  async (_, as) => {
    await service.query("BEGIN; LOCK TABLE things");
    const slow = reads(as);
    await eventually(async () => expect(await service.query(waiting)).toEqual([{ n: 5 }]));
    const other = as === null ? ({ role: "admin", sub: "7" } as const) : null;
    expect(outcome(await service.send({ method: "GET", path: "/notes/count" }, "admin"))).toBe("200");
    expect(outcome(await service.send({ method: "GET", path: "/folders/count" }, other))).toBe("200");
    // The same caller's writes are not held up.
    const write = { method: "POST", path: "/notes/create", body: { data: { body: "x" } } };
    expect(outcome(await service.send(write, "admin"))).toBe("200");
    const late = await Promise.race(slow);
    expect([outcome(late), late.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "5"]);
    expect(await service.query(waiting)).toEqual([{ n: 5 }]);
    await service.query("COMMIT");
    const outcomes = new Set((await Promise.all(slow)).map(outcome));
    expect(outcomes).toEqual(new Set(["200", "503 HTTP_ERROR"]));
  },
);
