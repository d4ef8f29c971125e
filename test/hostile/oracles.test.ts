import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectEnvelope } from "./support/envelope.ts";
import { query, type Reply, type Request, startWorld, token, type World } from "./support/world.ts";

/** Fields that clerks may not read: gated ones and a password, which nobody reads. A clerk may write `secret`. */
const unreadable = ["secret", "grade", "pin"];
const operators = [
  "",
  "__ne",
  "__gt",
  "__gte",
  "__lt",
  "__lte",
  "__like",
  "__ilike",
  "__in",
  "__not_in",
  "__between",
  "__is_null",
  "__is_not_null",
  "__nonsense",
];
const values = ["canary", "1", "", "[1,2]", "%"];

describe("what a role may not read cannot be found out", () => {
  let world: World;
  const clerk = token("clerk");
  const admin = token("admin");

  beforeAll(async () => {
    world = await startWorld();
  });

  beforeEach(async () => {
    await world.db.query("truncate papers restart identity");
    await world.db.query(`insert into papers (owner_id, title, code, secret, grade, pin, deleted_at) values
      (1, 'one', 'c1', 'canary', 1, 'hash', null), (1, 'two', 'c2', null, null, null, null), (1, 'gone', 'c3', 'canary', 2, null, now())`);
  });

  async function send(request: Request): Promise<Reply> {
    const reply = await world.send({ token: clerk, ...request });
    if (request.method !== "HEAD") expectEnvelope(reply, request);
    return reply;
  }

  async function expectForbidden(field: string, request: Request): Promise<void> {
    const reply = await send(request);
    expect(reply.status, `${JSON.stringify(request)} ${reply.text}`).toBe(403);
    if (request.method === "HEAD") return;
    expect(reply.json).toMatchObject({ error: "PERMISSION_DENIED", details: { field } });
    expect(reply.text).not.toContain("canary");
  }

  describe.each(unreadable)("%s", (field) => {
    it("is forbidden in every filter, also where the filter is malformed or the row missing", async () => {
      const before = await world.db.query("select * from papers order by id");
      for (const operator of operators) {
        for (const value of values) {
          const filter = { [`${field}${operator}`]: value };
          for (const more of [{}, { id: "999" }, { nonsense: "1" }, { limit: "x" }]) {
            const path = `/papers/fetch${query({ ...filter, ...more })}`;
            await expectForbidden(field, { path });
          }
          for (const operation of ["search", "count", "exists"]) {
            await expectForbidden(field, { path: `/papers/${operation}${query(filter)}` });
          }
          await expectForbidden(field, { method: "HEAD", path: `/papers/count${query(filter)}` });
          await expectForbidden(field, {
            method: "PUT",
            path: "/papers/update",
            body: { where: filter, data: { title: "b" } },
          });
          await expectForbidden(field, {
            method: "PATCH",
            path: "/papers/restore",
            body: { where: filter, data: { deleted_at: null } },
          });
        }
      }
      expect(await world.db.query("select * from papers order by id")).toEqual(before);
    });

    it("is forbidden in order and selection, beside what may be read too", async () => {
      for (const operation of ["fetch", "search", "count", "exists"]) {
        await expectForbidden(field, { path: `/papers/${operation}${query({ id: "1", order_by: field })}` });
        await expectForbidden(field, {
          path: `/papers/${operation}${query({ id: "1", select_fields: `id,${field}` })}`,
        });
        await expectForbidden(field, {
          path: `/papers/${operation}${query({ id: "x", select_fields: JSON.stringify([field]) })}`,
        });
      }
    });

    it("is in no answer", async () => {
      const record = { owner_id: 1, title: "b", code: "new" };
      // biome-ignore format: one case a line
      const replies = [
        await send({ path: "/papers/fetch" }),
        await send({ path: "/papers/search" }),
        await send({ method: "POST", path: "/papers/create", body: { data: { ...record, secret: "canary" } } }),
        await send({ method: "POST", path: "/papers/create", body: { data: [{ ...record, code: "x", secret: "canary" }] } }),
        await send({ method: "PUT", path: "/papers/upsert", body: { data: { ...record, code: "c1" } } }),
        await send({ method: "PUT", path: "/papers/update", body: { where: { id: 1 }, data: { secret: "canary 2" } } }),
      ];
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      for (const { text } of replies) expect(text).not.toMatch(new RegExp(`canary|hash|"${field}"`));
    });
  });

  it("a search looks into no unreadable field", async () => {
    const found = await send({ path: "/papers/search?search_term=canary" });
    expect(found.json.data).toEqual([]);
    const seen = await send({ token: admin, path: "/papers/search?search_term=canary" });
    expect(seen.json.data).toHaveLength(1);
  });

  it("a removal by an unreadable field is forbidden, in body and query string", async () => {
    const user = token("user", "1");
    for (const field of unreadable) {
      for (const operation of ["delete", "destroy"]) {
        for (const key of ["query", "where"]) {
          const body = { [key]: { [field]: "canary" } };
          await expectForbidden(field, { token: user, method: "DELETE", path: `/papers/${operation}`, body });
        }
        await expectForbidden(field, {
          token: user,
          method: "DELETE",
          path: `/papers/${operation}?${field}=x`,
        });
        await expectForbidden(field, {
          token: user,
          method: "DELETE",
          path: `/papers/${operation}?${field}=1&${field}=2`,
        });
      }
    }
  });

  it("a write to a field that the role may not write is forbidden, whatever else is wrong", async () => {
    for (const data of [
      { mail: "a@b.example" },
      { mail: 7 },
      { mail: null, title: 7 },
      { grade: "x", nonsense: 1 },
    ]) {
      const field = Object.keys(data)[0] ?? "";
      await expectForbidden(field, { method: "POST", path: "/papers/create", body: { data } });
      await expectForbidden(field, { method: "PUT", path: "/papers/upsert", body: { data } });
      await expectForbidden(field, {
        method: "PUT",
        path: "/papers/update",
        body: { where: { id: 99 }, data },
      });
      await expectForbidden(field, {
        method: "PUT",
        path: "/papers/update",
        body: { where: { nonsense: 1 }, data },
      });
      await expectForbidden(field, {
        method: "PATCH",
        path: "/papers/restore",
        body: { where: { id: 3 }, data },
      });
    }
  });

  it("the report of a bulk request says no more than a single one", async () => {
    const records = [
      { owner_id: 1, title: "b", mail: "a@b.example" },
      { owner_id: 1, title: "b", code: "c1", secret: "canary" },
      { owner_id: 1, title: "b", grade: 1 },
      { owner_id: 1, title: "b", pin: "1234", secret: 7 },
      { owner_id: 1, title: "b", secret: "canary", code: "fresh" },
    ];
    const { json, text } = await send({ method: "POST", path: "/papers/create", body: { data: records } });
    expect(json.data.inserted_count).toBe(1);
    expect(
      json.data.failed_records.map(({ error, field }: Record<string, unknown>) => [error, field]),
    ).toEqual([
      ["PERMISSION_DENIED", "mail"],
      ["VALIDATION_ERROR", "code"],
      ["PERMISSION_DENIED", "grade"],
      ["VALIDATION_ERROR", "secret"],
    ]);
    expect(text).not.toContain("canary");
  });

  it("rows out of reach are the same as no rows, for reads", async () => {
    const other = token("user", "2");
    for (const path of ["/papers/fetch?id=1", "/papers/fetch?code=c1", "/papers/search?search_term=one"]) {
      expect((await send({ token: other, path })).json.data).toEqual([]);
    }
    const page = await send({ token: other, path: "/papers/fetch?page=1" });
    expect(page.json.pagination?.["total"]).toBe(0);
    expect((await send({ token: other, path: "/papers/count?code=c1" })).json.data).toEqual({ count: 0 });
    expect((await send({ token: other, path: "/papers/exists?id=1" })).json.data).toEqual({ exists: false });
  });

  it("a filter on deleted_at brings no deleted row back", async () => {
    for (const filter of [
      "deleted_at__is_not_null=1",
      "deleted_at__gte=2000-01-01",
      "deleted_at__ne=2000-01-01",
      "deleted_at__not_in=[]",
      "deleted_at=x&deleted_at=y",
    ]) {
      const { json } = await send({ token: admin, path: `/papers/fetch?${filter}&select_fields=id` });
      expect(json.data).toEqual([{ id: 1 }, { id: 2 }]);
      expect((await send({ token: admin, path: `/papers/count?${filter}` })).json.data).toEqual({ count: 2 });
    }
  });

  it("no route leads to a model that is not mounted", async () => {
    for (const operation of ["fetch", "search", "count", "exists"]) {
      for (const slug of [
        "vaults",
        "Vaults",
        "vaults%00",
        "%76aults",
        "papers/../vaults",
        "papers%2f..%2fvaults",
      ]) {
        const reply = await send({ token: admin, path: `/${slug}/${operation}` });
        expect([400, 404]).toContain(reply.status);
      }
    }
  });
});
