import { describe, expect, it } from "vitest";
import { gte, now, type RoleRules } from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import {
  call,
  children,
  model,
  modelService,
  mounted,
  policyOf,
  rulesFor,
  token,
} from "../support/model-service.ts";

/** A model without fields, and one that has nothing but a `has_many`. */
// biome-ignore format: one case a line
const kinds: readonly (readonly [name: string, more: Partial<Model>])[] = [
  ["integer ids", {}],
  ["uuid ids, soft delete and a has_many", { id: "uuid", softDelete: true, relations: { others: children("tickets", "id") } }],
];

const rules = { admin: true, user: gte("updated_at", now) } as const;
const never = { admin: true, user: gte("created_at", "2100-01-01T00:00:00.000Z") } as const;
const policyFor = (create: RoleRules) =>
  policyOf({
    fetch: { "*": true },
    ...{ count: "as fetch", exists: "as fetch", upsert: "as create and update" },
    create,
    update: { admin: true, user: true },
    delete: rules,
    ...rulesFor("destroy restore", { admin: true }),
  });

describe.each(kinds)("a model without fields of its own: %s", async (_, more) => {
  const tickets = model("tickets", {}, more);
  const sealed = model("sealed", {}, { ...more, relations: {} });
  const isUuid = tickets.id === "uuid";
  const anId = isUuid ? expect.any(String) : expect.any(Number);
  const unknown = isUuid ? "00000000-0000-4000-8000-000000000001" : 4711;
  const world = await modelService([mounted(tickets, policyFor(rules)), mounted(sealed, policyFor(never))]);

  const send = (method: string, operation: string, body: object, role = "admin") =>
    world.send(call(`${method} /tickets/${operation}`, body, token(role)));
  const ask = (query: string, role = "admin") => world.send(call("POST /graphql", { query }, token(role)));

  it.each(["admin", "user"])("creates one, several and a record of nothing, as %s", async (role) => {
    const one = await send("POST", "create", { data: {} }, role);
    expect(one.json).toMatchObject({ statusCode: 200, data: { id: anId, created_at: expect.any(String) } });
    for (const data of [[{}], [{}, {}]]) {
      const { json } = await send("POST", "create", { data }, role);
      expect(json).toMatchObject({ statusCode: 200, data: { inserted_count: data.length, failed_count: 0 } });
      expect(json.data.inserted_ids).toEqual(data.map(() => anId));
    }
  });

  it.each(["createTickets", "createTickets(input: {})"])("%s over GraphQL", async (field) => {
    const { json } = await ask(`mutation { ${field} { id created_at } }`);
    expect(json).toMatchObject({ statusCode: 200, data: { createTickets: { id: anId } } });
  });

  it("holds to its row conditions", async () => {
    for (const data of [{}, [{}]]) {
      const reply = await world.send(call("POST /sealed/create", { data }, token("user")));
      expect(reply.json.details ?? reply.json).toMatchObject(
        Array.isArray(data)
          ? { failed_records: [{ index: 0, error: "PERMISSION_DENIED" }] }
          : { error: "PERMISSION_DENIED" },
      );
    }
    expect(await world.db.query("select from sealed")).toEqual([]);
  });

  it("reports what is wrong with records of a bulk, and stores the others", async () => {
    const { json } = await send("POST", "create", { data: [{}, { x: 1 }, 7, {}] });
    expect(json.data).toMatchObject({ inserted_count: 2, failed_count: 2 });
    expect(json.data.failed_records.map(({ index }) => index)).toEqual([1, 2]);
  });

  it.each([
    ["POST", "create", {}, "data"],
    ["POST", "create", { data: [] }, "data"],
    ["POST", "create", { data: { x: 1 } }, "x"],
    ["POST", "create", { data: null }, "data"],
    ["PUT", "update", { where: { id: unknown }, data: {} }, "data"],
    ["PUT", "update", { where: { id: unknown }, data: { x: 1 } }, "x"],
    ["PUT", "upsert", { data: {} }, "data"],
  ])("%s %s %j is 400", async (method, operation, body, field) => {
    const { json } = await send(method, operation, body);
    expect(json).toMatchObject({ statusCode: 400, error: "VALIDATION_ERROR", details: { field } });
  });

  it("upserts by id, and reads and removes what there is", async () => {
    const made = (await send("POST", "create", { data: {} })).json.data.id;
    for (const role of ["admin", "user"])
      expect((await send("PUT", "upsert", { data: { id: made } }, role)).json.data).toEqual({ id: made });
    const upserted = await send("PUT", "upsert", { data: { id: unknown } });
    expect(upserted.status).toBe(isUuid ? 200 : 404);
    const bulk = await send("PUT", "update", { data: [{ id: made }] });
    expect(bulk.json.details).toMatchObject({ failed_records: [{ index: 0, field: "data" }] });
    const rows = await world.send({ path: `/tickets/fetch?id=${made}&page=1` });
    expect(rows.json).toMatchObject({ data: [{ id: made }], pagination: { total: 1 } });
    const others = isUuid ? "others { id }" : "";
    const read = await ask(`{ tickets(id: ${JSON.stringify(made)}) { id ${others} } }`);
    expect(read.json.data).toMatchObject({ tickets: [{ id: made }] });
    expect((await send("DELETE", "delete", { ids: [made] })).status).toBe(200);
    if (tickets.softDelete) {
      const back = await send("PATCH", "restore", { where: { id: made }, data: { deleted_at: null } });
      expect(back.status).toBe(200);
      expect((await send("DELETE", "destroy", { query: { id: made } })).status).toBe(200);
    }
  });
});
