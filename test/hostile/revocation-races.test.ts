import { beforeEach, describe, expect, test } from "vitest";
import { service as fixture } from "../http/fixture/generated/index.ts";
import { account, accounts, countRows, session } from "../support/accounts.ts";
import { bearer, given, requests, tokenPair, tracesIn } from "../support/credential-requests.ts";
import { eventually } from "../support/eventually.ts";
import { call, type Request, token } from "../support/model-service.ts";
import { hasPgBouncer, pgBouncerTo } from "../support/pgbouncer.ts";
import type { Sent } from "../support/request.ts";
import { outcome } from "../support/scenarios.ts";
import { seeded } from "../support/seeded.ts";
import { type TestService, testService } from "../support/service.ts";
import { claimsOf, signed } from "../support/service-token.ts";
import { holdAll } from "../support/turns.ts";
import { startWorld } from "./support/models.ts";

const revoked = "401 TOKEN_REVOKED";
/** Where no hook of GraphQL asks for the caller beforehand. */
const served = { ...fixture, graphql: { ...fixture.graphql, hooks: {} } };
const revoke = "INSERT INTO auth_token_blacklist (jti, expires_at) VALUES ($1, now() + interval '1 h')";

describe("good tokens and revoked ones, mixed over two connections", async () => {
  const people = 12;
  const requestCount = 400;
  /** Good ones are sent again and again. Each of the others is new to the process, which remembers those. */
  const good = Array.from({ length: people }, (_, index) => token("user", String(index + 1)));
  const revokedOne = (id: number, n: number) => token("user", String(id), { jti: `revoked ${n}` });
  const world = await startWorld({ maxConnections: 2 });
  await world.db.query(
    "INSERT INTO papers (owner_id, title) SELECT n, 'of ' || n FROM generate_series(1, 12) AS n",
  );
  const rows = `SELECT 'revoked ' || n, now() + interval '1 h' FROM generate_series(0, ${requestCount - 1}) AS n`;
  await world.db.query(`INSERT INTO auth_token_blacklist (jti, expires_at) ${rows}`);

  /** The requests of a user, and the expected data. */
  type Asking = (id: number, n: number) => readonly [Request, told: unknown];
  const askings: readonly Asking[] = [
    (id) => [call("GET /papers/fetch?select_fields=owner_id&limit=1"), [{ owner_id: id }]],
    (id) => [call(`GET /papers/exists?owner_id=${id}`), { exists: true }],
    () => [call("GET /papers/count?title__like=of%25"), { count: 1 }],
    (id, n) => {
      const data = { owner_id: id, title: `new ${n}` };
      return [call("POST /papers/create", { data }), expect.objectContaining(data)];
    },
    (id) => {
      const query = '{ papers(title: { like: "of%" }) { owner_id title } }';
      return [call("POST /graphql", { query }), { papers: [{ owner_id: id, title: `of ${id}` }] }];
    },
  ];

  test("no caller gets the response of another one, or is accepted with another one's token", async () => {
    const random = seeded(1);
    const one = (count: number) => Math.floor(random() * count);
    const written: string[] = [];
    const ask = async (n: number) => {
      const [id, isGood] = [one(people) + 1, random() < 0.6];
      const [request, told] = (askings[one(askings.length)] as Asking)(id, n);
      if (isGood && request.path === "/papers/create") written.push(`new ${n}`);
      const reply = await world.send({ ...request, token: isGood ? good[id - 1] : revokedOne(id, n) });
      const got = reply.status === 200 ? reply.json.data : `${reply.status} ${reply.json.error}`;
      expect(got).toEqual(isGood ? told : revoked);
    };
    const numbers = Array.from({ length: requestCount }, (_, n) => n).values();
    const lane = async () => {
      for (const n of numbers) await ask(n);
    };
    await Promise.all(Array.from({ length: 24 }, lane));
    const rows = await world.db.query("SELECT title FROM papers WHERE title LIKE 'new %' ORDER BY title");
    expect(rows.map(({ title }) => title)).toEqual(written.sort());
    expect(world.database.connections()).toMatchObject({ used: 0, waiting: 0 });
  });
});

describe("a token that is revoked while requests with it are under way", async () => {
  const service = await testService({}, { served });
  const fetching: Sent = { method: "GET", path: "/tasks/fetch" };
  const creating = (title: string): Sent => ({
    method: "POST",
    path: "/tasks/create",
    body: { data: { title, user: 7 } },
  });

  /** Sends one request after the other until five were sent with a token that is out. Gives what each was told. */
  async function keepSending(
    isOut: () => boolean,
    ask: (n: number) => Promise<string>,
    told: Told,
  ): Promise<void> {
    for (let n = 0, left = 5; left > 0; n++) {
      const when = isOut() ? "after" : "before";
      if (when === "after") left--;
      told[when].push(await ask(n));
    }
  }

  interface Told {
    readonly before: string[];
    readonly after: string[];
  }

  test("by a logout: once that was answered no later request is, and nothing more is written", async () => {
    for (let round = 0; round < 3; round++) {
      const mine = session(7);
      await service.store(accounts([account(7)], [mine.row]));
      const headers = bearer(signed(claimsOf({ role: "user", sub: "7", email: "user7@example.com" })));
      const send = async (sent: Sent) => outcome(await service.send({ ...sent, headers }));
      const told: Told = { before: [], after: [] };
      const written: string[] = [];
      let out = false;
      const keep = (ask: (n: number) => Promise<string>) => keepSending(() => out, ask, told);
      const writer = (name: string) =>
        keep(async (n) => {
          const answer = await send(creating(`${name} ${n}`));
          if (answer === "200") written.push(`${name} ${n}`);
          return answer;
        });
      const work = [
        ...["a", "b", "c"].map(writer),
        keep(() => send(fetching)),
        keep(() => send({ method: "POST", path: "/graphql", body: { query: "{ tasks { id } }" } })),
        keep(() => send({ method: "GET", path: "/auth/me" })),
      ];
      await eventually(() => expect(told.before.length).toBeGreaterThan(20));
      expect(await send({ method: "POST", path: "/auth/logout", body: { token: mine.token } })).toBe("200");
      out = true;
      await Promise.all(work);
      expect(told.after).toEqual(Array(30).fill(revoked));
      expect(told.before.filter((answer) => answer !== "200" && answer !== revoked)).toEqual([]);
      const rows = await service.query("SELECT title FROM tasks");
      expect(rows.map(({ title }) => title).sort()).toEqual(written.sort());
    }
  });

  let pair = tokenPair("admin");
  let headers = bearer(pair.revoked);

  beforeEach(() => {
    pair = tokenPair("admin");
    headers = bearer(pair.revoked);
  });

  test("a request that waits for a connection is refused", async () => {
    await service.store(given);
    const release = await holdAll(service);
    const waiting = [fetching, creating("late")].map((sent) => service.send({ ...sent, headers }));
    // Of the read its look-up too.
    await eventually(() => expect(service.pool.connections().waiting).toBe(3));
    await service.query(revoke, [pair.row["jti"]]);
    await release();
    expect((await Promise.all(waiting)).map(outcome)).toEqual([revoked, revoked]);
    expect(await countRows(service, "tasks", "title = 'late'")).toBe(0);
  });

  test("one that waits for a row was let in, and is done", async () => {
    await service.store(given);
    const update = (list: string): Sent => ({
      method: "PUT",
      path: "/tasks/update",
      body: { where: { id: 1 }, data: { list } },
    });
    await service.query("BEGIN; UPDATE tasks SET project = 'p' WHERE id = 1");
    const reply = service.send({ ...update("changed"), headers });
    const waits = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = any(pg_blocking_pids(pid))";
    await eventually(async () => expect(await service.query(waits)).toHaveLength(1));
    await service.query(revoke, [pair.row["jti"]]);
    await service.query("COMMIT");
    expect(outcome(await reply)).toBe("200");
    expect(outcome(await service.send({ ...update("late"), headers }))).toBe(revoked);
    expect(await service.query("SELECT list FROM tasks WHERE id = 1")).toEqual([{ list: "changed" }]);
  });
});

describe.skipIf(!hasPgBouncer)("behind PgBouncer in transaction mode", () => {
  if (!hasPgBouncer) return;

  describe.each([true, false])("with named statements: %s", async (namedStatements) => {
    const reach = async (url: string) => (await pgBouncerTo(url)).url;
    const service: TestService = await testService({}, { served, reach, connecting: { namedStatements } });
    const look = await tracesIn(service);
    const pair = tokenPair("admin");
    const creating: Sent = { method: "POST", path: "/notes/create", body: { data: { body: "x" } } };
    const counting: Sent = { method: "GET", path: "/notes/count" };

    test("each request is refused with a revoked token, and done with a good one", async () => {
      for (const { name, as, sent } of requests) {
        const pair = tokenPair(as);
        await service.store({ ...given, auth_token_blacklist: [pair.row] });
        const before = await look();
        expect(outcome(await service.send({ ...sent, headers: bearer(pair.revoked) })), name).toBe(revoked);
        expect((await look()).rows, name).toEqual(before.rows);
        expect(outcome(await service.send({ ...sent, headers: bearer(pair.good) })), name).toBe("200");
      }
    });

    test("many at once, mixed", async () => {
      const pairs = Array.from({ length: 40 }, () => tokenPair("admin"));
      await service.store({ auth_token_blacklist: pairs.map(({ row }) => row) });
      const sent = Array.from({ length: 120 }, async (_, n) => {
        const isGood = n % 3 > 0;
        const headers = bearer(pairs[Math.floor(n / 3)]?.[isGood ? "good" : "revoked"] ?? "");
        const reply = await service.send({ ...(n % 2 > 0 ? creating : counting), headers });
        expect(outcome(reply)).toBe(isGood ? "200" : revoked);
      });
      await Promise.all(sent);
      expect(await countRows(service, "notes")).toBe(40);
    });

    test("without the table every token is refused, until it is back", async () => {
      await service.store({ auth_token_blacklist: [pair.row] });
      const create = async () => outcome(await service.send({ ...creating, headers: bearer(pair.good) }));
      await service.query("ALTER TABLE auth_token_blacklist RENAME TO elsewhere");
      expect(await create()).toBe("503 AUTH_UNAVAILABLE");
      await service.query("ALTER TABLE elsewhere RENAME TO auth_token_blacklist");
      expect(await countRows(service, "notes")).toBe(0);
      expect(await create()).toBe("200");
    });
  });
});
