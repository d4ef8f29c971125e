import { describe, expect } from "vitest";
import type { Json } from "#vocabulary/json";
import { type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const before = {
  title: "old",
  number: 5,
  mail: "old@example.org",
  points: 50,
  made_at: "2026-01-01T00:00:00Z",
};
// biome-ignore format: several rows a line
const given = {
  users: [{ id: 1, email: "ann@example.org", handle: "ann", points: 7 }, { id: 2, points: 2 }],
  stamped: [{ id: 1, owner_id: 1, slot: 1, ...before }, { id: 2, owner_id: 2, slot: 1, ...before }],
};
const ann = { role: "user", sub: "1", email: "ann@example.org" };
const kept = { number: 5, mail: "old@example.org", points: 50, made_at: "2026-01-01T00:00:00+00:00" };

const upserting = (data: Json, more: Partial<Scenario> = {}): Scenario => ({
  given,
  as: ann,
  send: "PUT /stamped/upsert",
  body: { data },
  ...more,
});

describe("upsert", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    upserting({ title: "new", slot: 1 },
      { name: "a preset counts as sent for the key; nothing that it gives is set in the row that is there", data: { id: 1 },
        rows: { stamped: [{ title: "new", owner_id: 1, ...kept }, { title: "old", owner_id: 2 }] } }),
    upserting({ title: "new", slot: 2 },
      { name: "an insert sets each",
        rows: { stamped: [{ title: "old" }, {}, { title: "new", owner_id: 1, number: 1, points: 7, handle: "ann" }] } }),
    upserting({ id: 2, title: "new" },
      { name: "by a number it is an update, and sets none", data: { id: 2 }, rows: { stamped: [{}, { title: "new", owner_id: 2, ...kept }] } }),
    upserting({ title: "new" }, { name: "without the rest of the key", fails: "400 VALIDATION_ERROR data" }),
    upserting({ title: "new", slot: 1, owner_id: 1 },
      { name: "is closed for writing", fails: "403 PERMISSION_DENIED owner_id", rows: { stamped: [{ title: "old" }, {}] } }),
    upserting({ title: "new", slot: 1 },
      { name: "nothing for a required one is 403, also where a row is there", as: null, fails: "403 PERMISSION_DENIED owner_id" }),
    upserting({ title: "new", slot: 1, owner_id: 2, points: 9 },
      { name: "who may write it sends it, and it is set", as: { role: "admin", sub: "1" }, data: { id: 2 },
        rows: { stamped: [{ title: "old", points: 50 }, { title: "new", owner_id: 2, points: 9, number: 5 }] } }),
    upserting({ id: 1, title: "new", owner_id: 2, slot: 7 },
      { name: "or by the id", as: { role: "admin", sub: "1" }, rows: { stamped: [{ title: "new", owner_id: 2, points: 50 }, {}] } }),
  ]);
});

describe("with a hook", () => {
  const given = { users: [{ id: 1, handle: "ann" }], marked: [{ id: 1, user: 1, team: "old" }] };
  const marking = (more: Partial<Scenario>): Scenario => ({
    given,
    as: { role: "user", sub: "1" },
    send: "PUT /marked/upsert",
    body: { data: {} },
    ...more,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    marking({ name: "that changes nothing: an update sets nothing", data: { id: 1 }, hooks: ["before_upsert"],
        rows: { marked: [{ user: 1, team: "old" }] } }),
    marking({ name: "that gives back the same in another object", plays: { before_upsert: (record) => ({ ...record }) },
        rows: { marked: [{ user: 1, team: "old" }] } }),
    marking({ name: "that changes a preset: it is set", plays: { before_upsert: (record) => ({ ...record, team: "new" }) },
        rows: { marked: [{ user: 1, team: "new" }] } }),
    marking({ name: "that changes the key", plays: { before_upsert: (record) => ({ ...record, user: 2 }) }, data: { id: expect.any(Number) },
        rows: { marked: [{ user: 1, team: "old" }, { user: 2, team: "ann" }] } }),
    marking({ name: "that takes the key away", plays: { before_upsert: (record) => ({ ...record, user: undefined, team: "new" }) },
        fails: "403 PERMISSION_DENIED user", rows: { marked: [{ team: "old" }] } }),
    marking({ name: "that gives a guest what he has not", as: null,
        plays: { before_upsert: (record) => ({ ...record, user: 1, team: "guests" }) }, data: { id: 1 },
        rows: { marked: [{ user: 1, team: "guests" }] } }),
  ]);
});
