import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

/** What may wait for one of the ten connections. */
const mostWaiting = 3;
const service = await testService({}, { connecting: { mostWaiting } });

const creating = (body: string) => ({ method: "POST", path: "/notes/create", body: { data: { body } } });
const fetching = { method: "GET", path: "/things/fetch" };

const lock = (table: string) => service.query(`BEGIN; LOCK TABLE ${table}`);

/** Waits until ten writes wait for the lock, and as many requests for a connection as may. */
function untilFull(): Promise<void> {
  const text = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation = 'notes'::regclass`;
  return eventually(async () => {
    expect(await service.query(text)).toEqual([{ n: 10 }]);
    expect(service.pool.connections().waiting).toBe(mostWaiting);
  });
}

test.each([
  ["with a token, whose revocation nobody can look up", "admin", "503 AUTH_UNAVAILABLE"],
  ["of a guest", null, "503 HTTP_ERROR"],
] as const)(
  "who would wait behind too many is told at once to come back, %s; who waits is served, and then everybody",
  async (_, as, expected) => {
    await service.store({});
    await lock("notes, things");
    const bodies = Array.from({ length: 10 + mostWaiting }, (_, n) => `waiting ${n}`);
    const waiting = bodies.map((body) => service.send(creating(body), "admin"));
    await untilFull();

    const refused = await service.send(as === null ? fetching : creating("refused"), as);
    expect([outcome(refused), refused.headers["retry-after"]]).toEqual([expected, "5"]);
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

test("so is whose other reads wait in such a number already, while others read and write", async () => {
  await lock("things");
  const reads = Array.from({ length: 6 + mostWaiting }, () => service.send(fetching));
  const refused = await Promise.race(reads);
  expect([outcome(refused), refused.headers["retry-after"]]).toEqual(["503 HTTP_ERROR", "5"]);
  expect(outcome(await service.send({ method: "GET", path: "/notes/count" }, "admin"))).toBe("200");
  await service.query("COMMIT");
  const outcomes = (await Promise.all(reads)).map(outcome);
  expect(outcomes.filter((one) => one !== "200")).toEqual(["503 HTTP_ERROR"]);
  expect(outcome(await service.send(fetching))).toBe("200");
});
