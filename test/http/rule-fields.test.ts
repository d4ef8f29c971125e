import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { inRead } from "../support/code-in-hooks.ts";
import { expectRows, failed, type Scenario, scenarios } from "../support/scenarios.ts";
import { countedService } from "../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

const ann = { role: "user", sub: "1" };
const deleted = "2026-01-01T00:00:00+00:00";
const tickets = [
  { id: 1, title: "owned", code: "o", status: "open", priority: 0, owner_id: 1, agent_id: 2 },
  { id: 2, title: "served", code: "s", status: "open", priority: 0, owner_id: 2, agent_id: 1 },
  {
    id: 3,
    title: "gone",
    code: "g",
    status: "open",
    priority: 0,
    owner_id: 2,
    agent_id: 2,
    deleted_at: deleted,
  },
];
const given = { tickets };
const denied = "403 PERMISSION_DENIED";

const writing = (send: string, body: Json, more: Partial<Scenario>): Scenario => ({
  given,
  as: ann,
  send,
  body,
  ...more,
});
const update = (id: number, data: Json, more: Partial<Scenario>): Scenario =>
  writing(
    "PUT /tickets/update",
    { where: { id }, data },
    { name: `update of ${id}: ${JSON.stringify(data)}`, ...more },
  );
const refused = (fails: string) => ({ fails, rows: given });
const first = (fields: Record<string, unknown>) => ({ rows: { tickets: [fields, ...tickets.slice(1)] } });
const second = (fields: Record<string, unknown>) => ({ rows: { tickets: [{}, fields, {}] } });

describe("a rule with fields counts only for writes of these fields", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    update(1, { title: "t" }, first({ title: "t" })),
    update(1, { title: "t", status: "done" }, first({ title: "t", status: "done" })),
    update(1, { status: "done" }, first({ status: "done" })),
    update(2, { status: "done" }, second({ status: "done" })),
    update(2, { status: "done", priority: 1 }, second({ status: "done", priority: 1 })),
    update(1, { priority: 1 }, { ...refused(denied), name: "the rows of the other rule stay closed" }),
    update(2, { title: "t" }, refused(denied)),
    update(1, { title: "t", priority: 1 }, { ...refused(denied), name: "no single rule names both fields" }),
    update(1, { title: "t", agent_id: 1, owner_id: 2 }, { ...refused(`${denied} agent_id`), name: "the first field that no rule names" }),
    update(1, { owner_id: "x" }, { ...refused(`${denied} owner_id`), name: "403 comes before 400" }),
    update(2, { title: "t" }, { as: "admin", ...second({ title: "t" }), name: "a rule without fields counts for all" }),
    update(2, { code: "c" }, { as: "admin", ...refused(`${denied} code`), name: "field gates hold in addition" }),
    writing("POST /tickets/create", { data: { title: "n", priority: 2 } },
      { name: "create; a default does not count as sent", rows: { tickets: [{}, {}, {}, { title: "n", priority: 2, status: "open" }] } }),
    writing("POST /tickets/create", { data: { title: "n", owner_id: 1 } }, { name: "create of another field", ...refused(`${denied} owner_id`) }),
    writing("PUT /tickets/upsert", { data: { code: "s", title: "n" } }, { name: "an upsert needs a rule of both halves", ...refused(denied) }),
    writing("PUT /tickets/upsert", { data: { code: "s", title: "n", owner_id: 1 } },
      { name: "an upsert names the first field", ...refused(`${denied} owner_id`) }),
    writing("PUT /tickets/upsert", { data: { id: 2, title: "n" } }, { name: "an upsert of a row that the rule does not open", ...refused(denied) }),
    writing("PUT /tickets/upsert", { data: { id: 1, title: "n" } }, { name: "an upsert: id does not count as sent", ...first({ title: "n" }) }),
    writing("PATCH /tickets/restore", { where: { id: 3 }, data: { deleted_at: null, status: "done" } },
      { name: "restore; deleted_at does not count as sent", rows: { tickets: [{}, {}, { status: "done", deleted_at: null }] } }),
    writing("PATCH /tickets/restore", { where: { id: 3 }, data: { title: "n" } }, { name: "restore of another field", ...refused(`${denied} title`) }),
    writing("POST /graphql", { query: "mutation { updateTickets(where: {id: 1}, input: {priority: 1, owner_id: 2}) { id } }" },
      { name: "GraphQL", ...refused(`${denied} owner_id`) }),
    writing("POST /graphql", { query: 'mutation { updateTickets(where: {id: 1}, input: {title: "t"}) { title } }' },
      { name: "GraphQL, by a rule that counts", data: { updateTickets: [{ title: "t" }] } }),
    writing("PUT /tickets/update", { data: [{ id: 1, title: "t" }, { id: 2, priority: 1 }, { id: 2, title: "t" }, { id: 1, owner_id: 2 }] },
      { name: "a bulk judges each record by its own fields",
        data: { updated_count: 2, updated_ids: [1, 2], failed_count: 2, total_attempted: 4,
          failed_records: [failed(2, "VALIDATION_ERROR", "id"), failed(3, "PERMISSION_DENIED", "owner_id")] },
        rows: { tickets: [{ title: "t", priority: 0 }, { title: "served", priority: 1 }, {}] } }),
    writing("PUT /tickets/update", { data: [{ id: 1, title: "t" }, { id: 2, title: "t" }] },
      { name: "a bulk by one rule", data: expect.objectContaining({ updated_ids: [1], failed_records: [failed(1, "PERMISSION_DENIED")] }) }),
    writing("PUT /tickets/update", { data: [{ id: 2, title: "t" }, { id: 2, priority: 1 }, { id: 1, title: "u" }] },
      { name: "a bulk by two rules refuses rows of the other rule",
        data: expect.objectContaining({ updated_ids: [1] }), rows: { tickets: [{ title: "u" }, { title: "served", priority: 0 }, {}] } }),
    writing("POST /tickets/create", { data: [{ title: "n" }, { title: "n", agent_id: 1 }] },
      { name: "a bulk create", data: expect.objectContaining({ inserted_count: 1, failed_records: [failed(1, "PERMISSION_DENIED", "agent_id")] }) }),
  ]);
});

describe("fields of presets and hooks do not count as sent", () => {
  const titler = { role: "titler", sub: "2" };
  const row = { title: "a", made_by: 1, edited_by: 1, edited_at: deleted };
  const edited = [
    { id: 1, ...row },
    { id: 2, ...row },
  ];
  const writes = (body: Json, more: Partial<Scenario>): Scenario => ({
    given: { edited },
    as: titler,
    send: "PUT /edited/update",
    body,
    ...more,
  });
  const made_by = 7;
  const plays = { before_update: ({ data }: { data: object }) => void Object.assign(data, { made_by }) };
  // biome-ignore format: one case a line
  scenarios(service, [
    writes({ where: { id: 1 }, data: { title: "b" } }, { name: "of an update", rows: { edited: [{ title: "b", edited_by: 2, made_by: 1 }, row] } }),
    writes({ where: { id: 1 }, data: { title: "b" } }, { name: "of an update with a hook", plays, rows: { edited: [{ title: "b", edited_by: 2, made_by }, row] } }),
    writes({ data: [{ id: 1, title: "b" }, { id: 2, title: "c" }] },
      { name: "of a bulk with a hook", plays, rows: { edited: [{ title: "b", edited_by: 2, made_by }, { title: "c", edited_by: 2, made_by }] } }),
    writes({ data: { id: 1, title: "b" } }, { name: "of an upsert", send: "PUT /edited/upsert", rows: { edited: [{ title: "b", edited_by: 2 }, row] } }),
    writes({ query: 'mutation { updateEdited(where: {id: 1}, input: {title: "b"}) { made_by } }' },
      { name: "over GraphQL", send: "POST /graphql", plays, data: { updateEdited: [{ made_by }] } }),
  ]);
});

test("as the caller", async () => {
  await service.store(given);
  const code = await inRead(
    service,
    ({ db }) => {
      const change = (data: object) =>
        db.as("caller")["tickets"]?.update({ where: { id: 1 }, data }) ?? Promise.reject();
      return change({ title: "t" }).then(() =>
        change({ owner_id: 2 }).catch((error: unknown) => Reflect.get(Object(error), "details")),
      );
    },
    ann,
  );
  expect(code.value).toEqual({ field: "owner_id" });
  await expectRows(service, "tickets", [{ title: "t", owner_id: 1 }, {}, {}]);
});

test("a write takes one statement; a bulk one more for each set of rules if there are several", async () => {
  const cost = async (body: Json) => {
    await service.store(given);
    sent.statements.length = 0;
    expect((await service.send({ method: "PUT", path: "/tickets/update", body }, ann)).status).toBe(200);
    return sent.statements.length;
  };
  expect(await cost({ where: { id: 1 }, data: { title: "t" } })).toBe(1);
  expect(await cost({ data: [{ id: 1, title: "t" }] })).toBe(1);
  expect(
    await cost({
      data: [
        { id: 1, title: "t" },
        { id: 2, priority: 1 },
      ],
    }),
  ).toBe(3);
});
