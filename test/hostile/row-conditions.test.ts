import { beforeEach, describe, expect, it } from "vitest";
import { call, query, type Request, sender, token } from "../support/model-service.ts";
import { startWorld } from "./support/models.ts";

const slipId = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

describe("row conditions hold on every way to a row", async () => {
  const one = token("user", "1");
  const admin = token("admin");
  const world = await startWorld();

  beforeEach(async () => {
    await world.db.query("truncate papers, slips, folders restart identity cascade");
    await world.db.query(`
      insert into papers (owner_id, title, code, state, deleted_at) values
        (1, 'mine', 'mine', 'draft', null), (1, 'final', 'final', 'final', null), (2, 'theirs', 'theirs', 'draft', null),
        (1, 'gone', 'gone', 'draft', now()), (2, 'lost', 'lost', 'draft', now());
      insert into folders (owner_id, open, deleted_at) values (1, true, null), (2, true, null), (1, false, null), (1, true, now());
      insert into slips (id, folder_id, code) select ('00000000-0000-4000-8000-00000000000' || n)::uuid, n, 's' || n
        from generate_series(1, 4) as n;
    `);
  });

  const snapshot = async () => [
    await world.db.query("select * from papers order by id"),
    await world.db.query("select * from slips order by id"),
  ];

  const send = sender(world, one);

  /** The status of a request that must change nothing. */
  async function refused(request: Request): Promise<number> {
    const before = await snapshot();
    const { status } = await send(request);
    expect(await snapshot()).toEqual(before);
    return status;
  }

  const update = (where: object, data: object) => refused(call("PUT /papers/update", { where, data }));

  it("update: a row can be moved neither out of reach nor into it", async () => {
    expect(await update({ id: 1 }, { owner_id: 2 })).toBe(403);
    expect(await update({ id: 1 }, { state: "final" })).toBe(403);
    expect(await update({ id: 3 }, { owner_id: 1 })).toBe(403);
    expect(await update({ id: 2 }, { state: "draft" })).toBe(403);
    expect(await update({ id: 3 }, { owner_id: 1, state: "draft", title: "b" })).toBe(403);
    expect(await update({ id: 4 }, { title: "b" })).toBe(404);
  });

  it("update: one row out of reach among many, and none is written", async () => {
    expect(await update({ id__in: [1, 3] }, { title: "b" })).toBe(403);
    expect(await update({ title__like: "%" }, { title: "b" })).toBe(403);
    expect(await update({ owner_id__ne: 9 }, { title: "b" })).toBe(403);
    expect(await update({ code: "theirs" }, { title: "b" })).toBe(404);
  });

  it("bulk update: each record on its own", async () => {
    const data = [
      { id: 1, title: "b1" },
      { id: 3, title: "b3" },
      { id: 2, title: "b2" },
      { id: 4, title: "b4" },
      { id: 99, title: "b99" },
      { id: 1, title: "again" },
      { id: 1, owner_id: 2 },
    ];
    const { json } = await send(call("PUT /papers/update", { data }));
    expect(json.data).toMatchObject({
      updated_count: 1,
      updated_ids: [1],
      failed_count: 6,
      total_attempted: 7,
    });
    expect(
      json.data.failed_records.map(({ index, error }: Record<string, unknown>) => [index, error]),
    ).toEqual([
      [1, "PERMISSION_DENIED"],
      [2, "PERMISSION_DENIED"],
      [3, "NOT_FOUND"],
      [4, "NOT_FOUND"],
      [5, "VALIDATION_ERROR"],
      [6, "VALIDATION_ERROR"],
    ]);
    const rows = await world.db.query("select title from papers order by id");
    expect(rows.map(({ title }) => title)).toEqual(["b1", "final", "theirs", "gone", "lost"]);
  });

  it("bulk update: out of reach afterwards", async () => {
    const data = [
      { id: 1, owner_id: 2 },
      { id: 3, owner_id: 1 },
    ];
    expect(await refused(call("PUT /papers/update", { data }))).toBe(400);
  });

  it("create: only what satisfies the condition, also in bulk", async () => {
    const theirs = { owner_id: 2, title: "b" };
    expect(await refused(call("POST /papers/create", { data: theirs }))).toBe(403);
    expect(await refused(call("POST /papers/create", { data: [theirs, theirs] }))).toBe(400);
    const mixed = await send(call("POST /papers/create", { data: [theirs, { owner_id: 1, title: "b" }] }));
    expect(mixed.json.data).toMatchObject({
      inserted_count: 1,
      failed_records: [{ index: 0, error: "PERMISSION_DENIED" }],
    });
    expect(await world.db.query("select from papers where owner_id = 2")).toHaveLength(2);
  });

  it("upsert: no way round the rules of insert or update", async () => {
    const upsert = (data: object) => refused(call("PUT /papers/upsert", { data }));
    expect(await upsert({ code: "theirs", owner_id: 1, title: "b" })).toBe(403);
    expect(await upsert({ code: "theirs", owner_id: 2, title: "b" })).toBe(403);
    expect(await upsert({ code: "mine", owner_id: 2, title: "b" })).toBe(403);
    expect(await upsert({ code: "fresh", owner_id: 2, title: "b" })).toBe(403);
    expect(await upsert({ id: 3, owner_id: 1, title: "b" })).toBe(403);
    expect(await upsert({ id: 1, owner_id: 2, title: "b" })).toBe(403);
    expect(await upsert({ id: 4, owner_id: 1, title: "b" })).toBe(404);
    expect(await upsert({ id: 99, owner_id: 1, title: "b" })).toBe(404);
    expect(await upsert({ id: 1, code: "theirs", owner_id: 1, title: "b" })).toBe(400);
  });

  it("upsert: the key of another user's deleted row is free, and that row is unchanged", async () => {
    const data = { code: "lost", owner_id: 1, title: "b" };
    const { status, json } = await send(call("PUT /papers/upsert", { data }));
    expect([status, json.data]).toEqual([200, { id: 6 }]);
    expect(await world.db.query("select title from papers where id = 5")).toEqual([{ title: "lost" }]);
  });

  it("upsert of a uuid model: over a relation, for the row before and after", async () => {
    const upsert = (data: object) => refused(call("PUT /slips/upsert", { data }));
    expect(await upsert({ code: "s2", folder_id: 1 })).toBe(403);
    expect(await upsert({ code: "s1", folder_id: 2 })).toBe(403);
    expect(await upsert({ code: "s3", folder_id: 1 })).toBe(403);
    expect(await upsert({ code: "fresh", folder_id: 2 })).toBe(403);
    expect(await upsert({ code: "fresh", folder_id: 3 })).toBe(403);
    expect(await upsert({ code: "fresh", folder_id: 4 })).toBe(403);
    expect(await upsert({ code: "fresh", folder_id: 99 })).toBe(403);
    expect(await upsert({ id: slipId(2), code: "s1", folder_id: 1 })).toBe(403);
    expect(await upsert({ id: slipId(2), code: "fresh", folder_id: 1 })).toBe(403);
  });

  it("delete, destroy: foreign ids among own ones, and all or none", async () => {
    for (const operation of ["delete", "destroy"]) {
      const remove = (body: object) => refused(call(`DELETE /papers/${operation}`, body));
      expect(await remove({ ids: [1, 3] })).toBe(403);
      expect(await remove({ ids: [3] })).toBe(403);
      expect(await remove({ ids: [1, 99] })).toBe(404);
      expect(await remove({ ids: [1, 3, 99] })).toBe(404);
      expect(await remove({ query: { id__in: [1, 3] } })).toBe(403);
      expect(await remove({ where: { owner_id: 2 } })).toBe(404);
      expect(await refused(call(`DELETE /papers/${operation}?id=3`))).toBe(403);
      expect(await refused(call(`DELETE /papers/${operation}?id__gte=3&id__lt=4`))).toBe(404);
    }
    const twice = await send(call("DELETE /papers/delete", { ids: [1, "1", 1] }));
    expect(twice.json.data).toEqual({ deleted_count: 1, deleted_ids: [1] });
  });

  it("destroy sees deleted rows, of others too, and spares them", async () => {
    const destroy = (body: object) => refused(call("DELETE /papers/destroy", body));
    expect(await destroy({ ids: [5] })).toBe(403);
    expect(await destroy({ query: { code: "lost" } })).toBe(404);
    const own = await send(call("DELETE /papers/destroy", { ids: [4] }));
    expect(own.json.data).toEqual({ destroyed_count: 1, destroyed_ids: [4] });
  });

  it("restore: neither another's row, nor into another's hands", async () => {
    const restore = (where: object, data: object) => refused(call("PATCH /papers/restore", { where, data }));
    expect(await restore({ id: 5 }, { deleted_at: null })).toBe(403);
    expect(await restore({ id: 5 }, { owner_id: 1 })).toBe(403);
    expect(await restore({ id: 4 }, { owner_id: 2 })).toBe(403);
    expect(await restore({ id: 4 }, { state: "final" })).toBe(403);
    expect(await restore({ id__gte: 5 }, { deleted_at: null })).toBe(404);
    expect(await restore({ id: 1 }, { deleted_at: null })).toBe(404);
    await world.db.query("insert into papers (owner_id, title, code) values (2, 'b', 'gone')");
    expect(await restore({ id: 4 }, { deleted_at: null })).toBe(400);
  });

  it("a relation to a deleted row is a relation to nothing", async () => {
    const { json } = await send({ path: "/slips/fetch?select_fields=code" });
    expect(json.data).toEqual([{ code: "s1" }, { code: "s3" }]);
    const body = { where: { code: "s4" }, data: { amount: 1 } };
    expect(await refused(call("PUT /slips/update", body))).toBe(404);
    const moved = { where: { code: "s1" }, data: { folder_id: 4 } };
    expect(await refused(call("PUT /slips/update", moved))).toBe(403);
    const data = { folder_id: 4, code: "new" };
    expect(await refused(call("POST /slips/create", { data }))).toBe(403);
  });

  it.each([
    ["no number", "abc"],
    ["2^63", "9223372036854775808"],
    ["a number with a blank", "1 "],
    ["a number with a sign", "+1"],
    ["another notation", "1e0"],
    ["a fraction", "1.0"],
    ["SQL", "1 or 1=1"],
    ["NUL", "1\0"],
    ["a wildcard", "%"],
    ["another script's one", "١"],
  ])("a subject that is %s owns nothing", async (_, sub) => {
    const who = token("user", sub);
    expect((await send(call("GET /papers/fetch", undefined, who))).json.data).toEqual([]);
    expect((await send(call("GET /papers/count", undefined, who))).json.data).toEqual({ count: 0 });
    expect(await refused(call("DELETE /papers/delete", { ids: [1] }, who))).toBe(403);
    const data = { owner_id: 1, title: "b" };
    expect(await refused(call("POST /papers/create", { data }, who))).toBe(403);
  });

  it("a role that is spelled a little differently has no rule", async () => {
    // biome-ignore format: a list of values
    for (const role of [
      "Admin", "ADMIN", " admin", "admin ", "admin\0", "*", "user,admin", "__proto__", "constructor",
      "admi\u0131n",
    ]) {
      const reply = await send(call("GET /papers/fetch", undefined, token(role, "1")));
      // No credential has what stands for every role.
      expect([role, reply.status]).toEqual([role, role === "*" ? 401 : 403]);
    }
  });

  it("guests own no rows, not even rows without an owner", async () => {
    const reply = await world.send({ path: "/papers/fetch" });
    expect(reply.status).toBe(403);
    const asGuest = await send(call("GET /papers/fetch", undefined, token("guest", "1")));
    expect(asGuest.status).toBe(403);
  });

  it("filters narrow the reach and never widen it", async () => {
    for (const filters of [
      { owner_id: "2" },
      { owner_id__ne: "1" },
      { owner_id__in: "1,2" },
      { id__gte: "0" },
      { id__not_in: "[]" },
    ]) {
      const { json } = await send({
        path: `/papers/fetch${query({ ...filters, select_fields: "owner_id" })}`,
      });
      expect(json.data.every(({ owner_id }) => owner_id === 1)).toBe(true);
    }
    const all = await send(call("GET /papers/fetch?select_fields=id", undefined, admin));
    expect(all.json.data).toHaveLength(3);
  });
});

/** The rules of one operation never serve another one, whichever ran first: plans are cached with their scope. */
describe("rules of different operations on one model", async () => {
  const user = token("user", "1");
  const theirs = "00000000-0000-4000-8000-000000000001";
  const world = await startWorld();
  await world.db.query("insert into folders (id, owner_id) values (1, 2)");

  beforeEach(async () => {
    await world.db.query("truncate slips, papers");
    await world.db.query("insert into slips (id, folder_id, code) values ($1, 1, 'theirs')", [theirs]);
  });

  it.each([
    [{ ids: [theirs] }, 403],
    [{ where: { code: "theirs" } }, 404],
    [{ query: { folder_id: 1 } }, 404],
  ])("destroy does not borrow the reach of delete: %j", async (body, status) => {
    const removed = await world.send(call("DELETE /slips/delete", body, user));
    expect(removed.status).toBe(200);
    await world.db.query("insert into slips (id, folder_id, code) values ($1, 1, 'theirs')", [theirs]);
    const refused = await world.send(call("DELETE /slips/destroy", body, user));
    expect(refused.status).toBe(status);
    expect(await world.db.query("select from slips")).toHaveLength(1);
  });

  it("update does not borrow the reach of upsert by id", async () => {
    const [row] = await world.db.query(
      "insert into papers (owner_id, title, state) values (1, 'b', 'final') returning id",
    );
    const id = Number(row?.["id"]);
    const data = { id, owner_id: 1, title: "changed", state: "final" };
    const upserted = await world.send(call("PUT /papers/upsert", { data }, user));
    expect(upserted.status).toBe(200);
    const { id: _, ...rest } = data;
    const body = { where: { id }, data: { ...rest, title: "renewed" } };
    const refused = await world.send(call("PUT /papers/update", body, user));
    expect(refused.status).toBe(403);
    expect(await world.db.query("select title from papers")).toEqual([{ title: "changed" }]);
  });
});
