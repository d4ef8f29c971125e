import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectEnvelope } from "./support/envelope.ts";
import { query, type Reply, type Request, startWorld, token, type World } from "./support/world.ts";

const slipId = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

describe("row conditions hold on every way to a row", () => {
  let world: World;
  const one = token("user", "1");
  const admin = token("admin");

  beforeAll(async () => {
    world = await startWorld();
  });

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

  async function send(request: Request): Promise<Reply> {
    const reply = await world.send({ token: one, ...request });
    expectEnvelope(reply, request);
    return reply;
  }

  /** The status of a request that must change nothing. */
  async function refused(request: Request): Promise<number> {
    const before = await snapshot();
    const { status } = await send(request);
    expect(await snapshot()).toEqual(before);
    return status;
  }

  const update = (where: object, data: object) =>
    refused({ method: "PUT", path: "/papers/update", body: { where, data } });

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
    const { json } = await send({ method: "PUT", path: "/papers/update", body: { data } });
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
    expect(await refused({ method: "PUT", path: "/papers/update", body: { data } })).toBe(400);
  });

  it("create: only what satisfies the condition, also in bulk", async () => {
    const theirs = { owner_id: 2, title: "b" };
    expect(await refused({ method: "POST", path: "/papers/create", body: { data: theirs } })).toBe(403);
    expect(await refused({ method: "POST", path: "/papers/create", body: { data: [theirs, theirs] } })).toBe(
      400,
    );
    const mixed = await send({
      method: "POST",
      path: "/papers/create",
      body: { data: [theirs, { owner_id: 1, title: "b" }] },
    });
    expect(mixed.json.data).toMatchObject({
      inserted_count: 1,
      failed_records: [{ index: 0, error: "PERMISSION_DENIED" }],
    });
    expect(await world.db.query("select from papers where owner_id = 2")).toHaveLength(2);
  });

  it("upsert: no way round the rules of insert or update", async () => {
    const upsert = (data: object) => refused({ method: "PUT", path: "/papers/upsert", body: { data } });
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

  it("upsert: the key of a deleted row of somebody else is free, and that row stays as it is", async () => {
    const data = { code: "lost", owner_id: 1, title: "b" };
    const { status, json } = await send({ method: "PUT", path: "/papers/upsert", body: { data } });
    expect([status, json.data]).toEqual([200, { id: 6 }]);
    expect(await world.db.query("select title from papers where id = 5")).toEqual([{ title: "lost" }]);
  });

  it("upsert of a uuid model: over a relation, for the row before and after", async () => {
    const upsert = (data: object) => refused({ method: "PUT", path: "/slips/upsert", body: { data } });
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
      const remove = (body: object) => refused({ method: "DELETE", path: `/papers/${operation}`, body });
      expect(await remove({ ids: [1, 3] })).toBe(403);
      expect(await remove({ ids: [3] })).toBe(403);
      expect(await remove({ ids: [1, 99] })).toBe(404);
      expect(await remove({ ids: [1, 3, 99] })).toBe(404);
      expect(await remove({ query: { id__in: [1, 3] } })).toBe(403);
      expect(await remove({ where: { owner_id: 2 } })).toBe(404);
      expect(await refused({ method: "DELETE", path: `/papers/${operation}?id=3` })).toBe(403);
      expect(await refused({ method: "DELETE", path: `/papers/${operation}?id__gte=3&id__lt=4` })).toBe(404);
    }
    const twice = await send({ method: "DELETE", path: "/papers/delete", body: { ids: [1, "1", 1] } });
    expect(twice.json.data).toEqual({ deleted_count: 1, deleted_ids: [1] });
  });

  it("destroy sees deleted rows, of others too, and spares them", async () => {
    const destroy = (body: object) => refused({ method: "DELETE", path: "/papers/destroy", body });
    expect(await destroy({ ids: [5] })).toBe(403);
    expect(await destroy({ query: { code: "lost" } })).toBe(404);
    const own = await send({ method: "DELETE", path: "/papers/destroy", body: { ids: [4] } });
    expect(own.json.data).toEqual({ destroyed_count: 1, destroyed_ids: [4] });
  });

  it("restore: neither another's row, nor into another's hands", async () => {
    const restore = (where: object, data: object) =>
      refused({ method: "PATCH", path: "/papers/restore", body: { where, data } });
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
    expect(await refused({ method: "PUT", path: "/slips/update", body })).toBe(404);
    const moved = { where: { code: "s1" }, data: { folder_id: 4 } };
    expect(await refused({ method: "PUT", path: "/slips/update", body: moved })).toBe(403);
    const data = { folder_id: 4, code: "new" };
    expect(await refused({ method: "POST", path: "/slips/create", body: { data } })).toBe(403);
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
    expect((await send({ token: who, path: "/papers/fetch" })).json.data).toEqual([]);
    expect((await send({ token: who, path: "/papers/count" })).json.data).toEqual({ count: 0 });
    expect(await refused({ token: who, method: "DELETE", path: "/papers/delete", body: { ids: [1] } })).toBe(
      403,
    );
    const data = { owner_id: 1, title: "b" };
    expect(await refused({ token: who, method: "POST", path: "/papers/create", body: { data } })).toBe(403);
  });

  it("a role that is spelled a little differently has no rule", async () => {
    for (const role of [
      "Admin",
      "ADMIN",
      " admin",
      "admin ",
      "admin\0",
      "*",
      "user,admin",
      "__proto__",
      "constructor",
      "admi\u0131n",
    ]) {
      const reply = await send({ token: token(role, "1"), path: "/papers/fetch" });
      // No credential has what stands for every role.
      expect([role, reply.status]).toEqual([role, role === "*" ? 401 : 403]);
    }
  });

  it("guests own nothing, not even what belongs to nobody", async () => {
    const reply = await world.send({ path: "/papers/fetch" });
    expect(reply.status).toBe(403);
    const asGuest = await send({ token: token("guest", "1"), path: "/papers/fetch" });
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
    const all = await send({ token: admin, path: "/papers/fetch?select_fields=id" });
    expect(all.json.data).toHaveLength(3);
  });
});
