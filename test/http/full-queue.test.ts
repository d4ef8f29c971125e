import { expect, test } from "vitest";
import type { Database } from "#runtime/core/database/index";
import { eventually } from "../support/eventually.ts";
import { sendGraphql } from "../support/graphql.ts";
import { newRequestId } from "../support/recorded.ts";
import type { Reply } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";
import { watchedDatabase } from "../support/watched-database.ts";

/** What may wait for one of the ten connections. */
const mostWaiting = 3;
/** The names of statements, as they were asked for, without look-ups of tokens. */
const ran: (string | null)[] = [];
const watch = (database: Database): Database =>
  watchedDatabase(database, (connection) => (statement, values) => {
    if (statement.name !== "kirak_auth_blacklist_has") ran.push(statement.name);
    return connection.run(statement, values);
  });
const service = await testService({}, { connecting: { mostWaiting }, watch });

const creating = (body: string) => ({ method: "POST", path: "/notes/create", body: { data: { body } } });
const fetching = { method: "GET", path: "/things/fetch" };

const lock = (table: string) => service.query(`BEGIN; LOCK TABLE ${table}`);

/** Waits until so many writes wait for the lock, and so many requests for a connection. */
function until(locked: number, waiting: number): Promise<void> {
  const text = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'notes'::regclass`;
  return eventually(async () => {
    expect(await service.query(text)).toEqual([{ n: locked }]);
    expect(service.pool.connections().waiting).toBe(waiting);
  });
}

test.each([
  ["admin", creating("refused")],
  [null, fetching],
] as const)(
  "a request behind too many is refused at once, of %s; requests that wait are served, and then all",
  async (as, sent) => {
    await service.store({});
    await lock("notes, things");
    const bodies = Array.from({ length: 10 + mostWaiting }, (_, n) => `waiting ${n}`);
    const waiting: Promise<Reply>[] = [];
    // One by one: a write is behind the look-up of its token in the line.
    for (const [index, body] of bodies.entries()) {
      waiting.push(service.send(creating(body), "admin"));
      await until(Math.min(index + 1, 10), Math.max(index - 9, 0));
    }

    const refused = await service.send(sent, as);
    expect([outcome(refused), refused.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "1"]);
    expect(service.pool.connections().waiting).toBe(mostWaiting);
    expect(outcome(await service.send({ method: "GET", path: "/healthz" }))).toBe("200");
    expect(outcome(await service.send({ method: "GET", path: "/readyz" }))).toBe("200");

    await service.query("COMMIT");
    expect((await Promise.all(waiting)).map(outcome)).toEqual(Array(bodies.length).fill("200"));
    expect(outcome(await service.send(creating("later"), "admin"))).toBe("200");
    expect(outcome(await service.send(fetching))).toBe("200");
    const rows = await service.query("SELECT body FROM notes");
    expect(rows.map(({ body }) => body).sort()).toEqual([...bodies, "later"].sort());
  },
);

test.each([null, "admin"] as const)(
  "so is a caller whose other reads wait in such a number already, while others read and write: %s",
  async (as) => {
    await lock("things");
    ran.length = 0;
    const reads = Array.from({ length: 5 + mostWaiting }, () => service.send(fetching, as));
    await eventually(() => expect(ran).toHaveLength(reads.length));
    ran.length = 0;
    const refused = await service.send(fetching, as);
    expect([outcome(refused), refused.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "1"]);
    expect(ran).toHaveLength(1);
    const other = { role: "admin", sub: "7" };
    expect(outcome(await service.send({ method: "GET", path: "/notes/count" }, other))).toBe("200");
    await service.query("COMMIT");
    expect((await Promise.all(reads)).map(outcome)).toEqual(Array(reads.length).fill("200"));
    expect(outcome(await service.send(fetching, as))).toBe("200");
  },
);

test.each([null, "admin"] as const)(
  "what is refused has no cause in the log, which it would fill: %s",
  async (as) => {
    await lock("things");
    ran.length = 0;
    const reads = Array.from({ length: 5 + mostWaiting }, () => service.send(fetching, as));
    await eventually(() => expect(ran).toHaveLength(reads.length));
    const id = newRequestId();
    await service.send({ ...fetching, headers: { "x-request-id": id } }, as);
    await service.query("COMMIT");
    await Promise.all(reads);
    const [line] = service.log.filter(({ request_id }) => request_id === id);
    expect(line).toMatchObject({ status: 503 });
    expect(line).not.toHaveProperty("err");
  },
);

// A pool of ten.
const patient = await testService({}, { connecting: { acquireTimeoutMs: 1_500 } });

const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'things'::regclass`;

/** Reads of one caller that wait for a table, over REST and GraphQL. */
const reads = (as: Caller) =>
  Array.from({ length: 4 }, () => [
    patient.send({ method: "GET", path: "/things/fetch" }, as),
    patient.send({ method: "GET", path: "/things/count" }, as),
    sendGraphql(patient, "{ a: things { id } b: things_aggregate { count } }", as),
  ]).flat();

test.each<[string, Caller]>([
  ["a user", { role: "admin", sub: "7" }],
  ["a guest's address", null],
])(
  "reads of %s hold half of the connections; others find one, and what waits too long comes back later",
  async (_, as) => {
    await patient.query("BEGIN; LOCK TABLE things");
    const slow = reads(as);
    await eventually(async () => expect(await patient.query(waiting)).toEqual([{ n: 5 }]));
    const other = as === null ? ({ role: "admin", sub: "7" } as const) : null;
    expect(outcome(await patient.send({ method: "GET", path: "/notes/count" }, "admin"))).toBe("200");
    expect(outcome(await patient.send({ method: "GET", path: "/folders/count" }, other))).toBe("200");
    // The same caller's writes are not held up.
    const write = { method: "POST", path: "/notes/create", body: { data: { body: "x" } } };
    expect(outcome(await patient.send(write, "admin"))).toBe("200");
    const late = await Promise.race(slow);
    expect([outcome(late), late.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "5"]);
    expect(await patient.query(waiting)).toEqual([{ n: 5 }]);
    await patient.query("COMMIT");
    const outcomes = new Set((await Promise.all(slow)).map(outcome));
    expect(outcomes).toEqual(new Set(["200", "503 HTTP_ERROR"]));
  },
);
