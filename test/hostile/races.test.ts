import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TestDatabase } from "../support/database.ts";
import { call, type Reply, type Request, sender, token } from "../support/model-service.ts";
import { startWorld } from "./support/models.ts";

const slip = "00000000-0000-4000-8000-000000000001";

/** With a long one, a deadlock hangs until the test fails, instead of being retried unnoticed. */
function deadlockTimeout(time: string): string {
  const command = `alter database %I set deadlock_timeout = %L`;
  return `do $$ begin execute format('${command}', current_database(), '${time}'); end $$;`;
}

describe("requests that meet", async () => {
  const one = token("user", "1");
  const admin = token("admin");
  const world = await startWorld({ maxConnections: 8, sql: deadlockTimeout("1h") });

  beforeEach(async () => {
    await world.db.query("truncate papers, slips, folders restart identity cascade");
    await world.db.query(`
      insert into papers (owner_id, title, code, deleted_at) values (1, 'one', 'c1', null), (1, 'two', 'c2', now());
      insert into folders (owner_id) values (1), (2);
      insert into slips (id, folder_id, code) values ('${slip}', 1, 's1');
    `);
  });

  afterEach(async () => {
    await world.db.query("rollback");
  });

  const send = sender(world, one);

  /** Holds back a request at a row that `change` has locked, and lets it go on once the change is there to see. */
  async function overtaken(request: Request, change: string): Promise<Reply> {
    await world.db.query(`begin; ${change}`);
    const reply = send(request);
    await somebodyWaits(world.db);
    await world.db.query("commit");
    return reply;
  }

  const title = { title: "written" };
  const away = "update papers set owner_id = 2, state = 'final'";

  // biome-ignore format: one case a line
  it.each<[string, Request, string]>([
    ["update", call("PUT /papers/update", { where: { id: 1 }, data: title }), "where id = 1"],
    ["bulk update", call("PUT /papers/update", { data: [{ id: 1, ...title }] }), "where id = 1"],
    ["upsert", call("PUT /papers/upsert", { data: { owner_id: 1, code: "c1", ...title } }), "where id = 1"],
    ["upsert by id", call("PUT /papers/upsert", { data: { id: 1, owner_id: 1, ...title } }), "where id = 1"],
    ["delete", call("DELETE /papers/delete", { where: { code: "c1" } }), "where id = 1"],
    ["delete by ids", call("DELETE /papers/delete", { ids: [1] }), "where id = 1"],
    ["destroy", call("DELETE /papers/destroy", { ids: [1] }), "where id = 1"],
    ["restore", call("PATCH /papers/restore", { where: { id: 2 }, data: title }), "where id = 2"],
  ])("%s: a row that leaves the reach at the last moment is not written", async (_, request, where) => {
    const reply = await overtaken(request, `${away} ${where}`);
    expect(reply.json.error === "VALIDATION_ERROR" || reply.status === 403, reply.text).toBe(true);
    expect(reply.status).not.toBe(200);
    const rows = await world.db.query("select title from papers order by id");
    expect(rows).toEqual([{ title: "one" }, { title: "two" }]);
    expect(await world.db.query("select from papers where deleted_at is null")).toHaveLength(1);
  });

  // biome-ignore format: one case a line
  it.each<[string, Request]>([
    ["update", call("PUT /slips/update", { where: { id: slip }, data: { amount: 7 } })],
    ["bulk update", call("PUT /slips/update", { data: [{ id: slip, amount: 7 }] })],
    ["upsert", call("PUT /slips/upsert", { data: { code: "s1", folder_id: 1, amount: 7 } })],
    ["destroy", call("DELETE /slips/destroy", { ids: [slip] })],
  ])("%s: nor one whose relation leaves it", async (_, request) => {
    const change = `update slips set amount = 1; update folders set owner_id = 2 where id = 1`;
    const reply = await overtaken(request, change);
    expect(reply.status, reply.text).not.toBe(200);
    expect(await world.db.query("select amount from slips")).toEqual([{ amount: 1 }]);
  });

  it("update: a row that no longer matches the filter is not written", async () => {
    const request = call("PUT /papers/update", { where: { code: "c1" }, data: title });
    for (const who of [one, admin]) {
      const reply = await overtaken(
        { ...request, token: who },
        "update papers set code = 'other' where id = 1",
      );
      expect(reply.status).toBe(404);
      await world.db.query("update papers set code = 'c1' where id = 1");
    }
    expect(await world.db.query("select title from papers where id = 1")).toEqual([{ title: "one" }]);
  });

  it("update: a row that was deleted in the meantime stays deleted and unchanged", async () => {
    const request = call("PUT /papers/update", { where: { id: 1 }, data: title });
    const reply = await overtaken(request, "update papers set deleted_at = now() where id = 1");
    expect(reply.status).toBe(404);
    expect(await world.db.query("select title from papers where id = 1")).toEqual([{ title: "one" }]);
  });

  it("upsert: an insert is held back by one that wins, and then updates its row", async () => {
    const data = { owner_id: 1, code: "fresh", ...title };
    const request = call("PUT /papers/upsert", { data });
    const insert = "insert into papers (owner_id, title, code) values (%, 'first', 'fresh')";
    const mine = await overtaken(request, insert.replace("%", "1"));
    expect(mine.status).toBe(200);
    expect(await world.db.query("select title from papers where code = 'fresh'")).toEqual([
      { title: "written" },
    ]);
    await world.db.query("delete from papers where code = 'fresh'");
    const theirs = await overtaken(request, insert.replace("%", "2"));
    expect(theirs.status).toBe(403);
    expect(await world.db.query("select title from papers where code = 'fresh'")).toEqual([
      { title: "first" },
    ]);
  });

  it("upsert: a caller who may only update does not insert a row that disappears", async () => {
    const closed = call("PUT /slips/upsert", { data: { code: "s1", folder_id: 2 } });
    const reply = await overtaken({ ...closed, token: one }, "delete from slips");
    expect(reply.status).toBe(403);
    expect(await world.db.query("select from slips")).toHaveLength(0);
  });

  it("upsert: of many at once there is one row, and it is the winner's", async () => {
    const upserts = Array.from({ length: 24 }, (_, n) => {
      const owner_id = (n % 3) + 1;
      const data = { owner_id, code: "race", title: `by ${owner_id}` };
      return world.send(call("PUT /papers/upsert", { data }, token("user", String(owner_id))));
    });
    const replies = await Promise.all(upserts);
    const rows = await world.db.query("select id::int, owner_id::int, title from papers where code = 'race'");
    expect(rows).toHaveLength(1);
    const { id, owner_id } = rows[0] ?? {};
    for (const [n, { status, json }] of replies.entries()) {
      const isWinner = (n % 3) + 1 === owner_id;
      expect([status, json.data]).toEqual(isWinner ? [200, { id }] : [403, null]);
    }
    expect(rows[0]?.["title"]).toBe(`by ${owner_id}`);
  });

  it("create: of many with one unique value one is written", async () => {
    const data = { owner_id: 1, title: "b", code: "race" };
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        send(call("POST /papers/create", { data: n % 2 === 0 ? data : [data] })),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(400)]);
    expect(await world.db.query("select from papers where code = 'race'")).toHaveLength(1);
  });

  it("delete: of many of one row one succeeds", async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        send(call("DELETE /papers/delete", n % 2 === 0 ? { ids: [1] } : { where: { id: 1 } })),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(404)]);
  });

  it("bulk updates of the same rows in opposite orders do not block each other", async () => {
    await world.db.query("insert into papers (owner_id, title) select 1, 'b' from generate_series(1, 200)");
    const ids = (await world.db.query("select id::int from papers where title = 'b' order by id")).map(
      ({ id }) => id,
    );
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const order = n % 2 === 0 ? ids : [...ids].reverse();
        const who = n % 4 < 2 ? one : admin;
        const data = order.map((id) => ({ id, title: `b${n}` }));
        return send(call("PUT /papers/update", { data }, who));
      }),
    );
    expect(replies.map(({ json }) => json.data?.updated_count)).toEqual(Array(8).fill(200));
    const titles = await world.db.query("select distinct title from papers where id >= 3");
    expect(titles).toHaveLength(1);
  });
});

it("a deadlock is retried and succeeds", async () => {
  // It is looked for once in each wait: by then the other side has to wait as well, on a busy machine too.
  const { db, send } = await startWorld({ sql: deadlockTimeout("1s") });
  await db.query("insert into papers (owner_id, title) values (1, 'one'), (1, 'two')");
  await db.query("begin; set local deadlock_timeout = '10s'; update papers set grade = 1 where id = 2");
  const records = [1, 2].map((id) => ({ id, title: "written" }));
  const reply = send(call("PUT /papers/update", { data: records }, token("user", "1")));
  await somebodyWaits(db);
  // The request holds row 1 and waits for row 2. It is the one that notices, and starts over.
  await db.query("update papers set grade = 1 where id = 1; commit");
  expect((await reply).json.data.updated_count).toBe(2);
});

/** Until a request waits for what the test's own transaction holds. */
async function somebodyWaits(db: TestDatabase): Promise<void> {
  const blocked = "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";
  while ((await db.query(blocked)).length === 0);
}
