import { describe, expect, test, vi } from "vitest";
import type { Json } from "#vocabulary/json";
import { account, apiKey } from "../../support/accounts.ts";
import { perform, type Scenario, scenarios } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";

const service = await testService();

const users = [
  { id: 1, email: "ann@example.org", handle: "ann", points: 7, created_at: "2026-01-02T03:04:05.678Z" },
  { id: 2, email: "bob@example.org", points: 2 },
];
const ann = { role: "user", sub: "1", email: "ann@example.org" };
const stamp = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const given = { users };

const creating = (data: Json, more: Partial<Scenario> = {}): Scenario => ({
  given,
  as: ann,
  send: "POST /stamped/create",
  body: { data },
  ...more,
});
const nothing = { stamped: [] };
const refused = { fails: "403 PERMISSION_DENIED owner_id", rows: nothing };

describe("what the server sets on create", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    creating({ title: "a" },
      { name: "each preset, for each type that it fits",
        data: { id: expect.any(Number), created_at: stamp, updated_at: stamp, title: "a", slot: null, owner_id: 1, number: 1, big: "1",
          word: "1", mail: "ann@example.org", address: "ann@example.org", acted_as: "user", points: 7, handle: "ann",
          joined_at: "2026-01-02T03:04:05.678Z", made_at: stamp, made_on: new Date().toISOString().slice(0, 10) } }),
    creating({ title: "a" },
      { name: "a value that does not fit is NULL: below the minimum, NULL in the row, no value of the enum",
        as: { role: "mail", sub: "2", email: "bob@example.org" },
        rows: { stamped: [{ owner_id: 2, points: null, handle: null, acted_as: null, mail: "bob@example.org" }] } }),
    creating({ title: "a" },
      { name: "an empty e-mail is NULL, and so is an invalid one", as: { ...ann, email: "" },
        rows: { stamped: [{ mail: null, address: null, owner_id: 1 }] } }),
    creating({ title: "a" },
      { name: "a claim that is not an address fits only a text", as: { ...ann, email: "nonsense" },
        rows: { stamped: [{ mail: null, address: "nonsense" }] } }),
    creating({ title: "a" },
      { name: "a subject beyond 32 bits fits no integer", given: { users: [{ id: 3_000_000_000 }] }, as: { role: "user", sub: "3000000000" },
        rows: { stamped: [{ owner_id: 3_000_000_000, number: null, word: null }] } }),
    creating({ title: "a" }, { name: "a subject that is no number owns nothing", as: { role: "user", sub: "abc" }, ...refused }),
    creating({ title: "a" },
      { name: "a subject beyond what JSON tells apart owns nothing, and least of all what is next to it",
        given: { users: [{ id: "9007199254740992" }] }, as: { role: "user", sub: "9007199254740993" }, ...refused }),
    creating({ title: "a" }, { name: "a guest has nothing that a required field takes", as: null, ...refused }),
    creating({}, { name: "and gets that error before the one about missing fields", as: null, ...refused }),
    creating({ title: 5 }, { name: "but after values of the wrong type", as: null, fails: "400 VALIDATION_ERROR title" }),
    creating({}, { name: "presets are given, the rest is not", fails: "400 VALIDATION_ERROR title" }),
    creating({ title: "a" },
      { name: "an owner that there is not", as: { role: "user", sub: "99" }, fails: "400 VALIDATION_ERROR owner_id", rows: nothing }),
    creating({ title: "a" }, { name: "the conditions of create see it", as: { role: "few", sub: "1" }, rows: { stamped: [{ points: 7 }] } }),
    creating({ title: "a" }, { name: "and what is unknown, as NULL", as: { role: "few", sub: "2" }, fails: "403 PERMISSION_DENIED", rows: nothing }),
  ]);
});

describe("a field with a preset is closed", () => {
  const closed = (data: Json, field: string): Scenario =>
    creating(data, { fails: `403 PERMISSION_DENIED ${field}`, rows: nothing });
  // biome-ignore format: one case a line
  scenarios(service, [
    closed({ title: "a", owner_id: 1 }, "owner_id"),
    closed({ title: "a", owner_id: null }, "owner_id"),
    closed({ title: "a", made_at: "2020-01-01" }, "made_at"),
    closed({ title: "a", points: "x", number: 2 }, "points"),
    creating({ title: "a", owner: 2 }, { fails: "400 VALIDATION_ERROR owner" }),
    { name: "__proto__ sets nothing", given, as: ann, send: "POST /stamped/create", headers: { "content-type": "application/json" },
      body: '{"data": {"title": "a", "__proto__": {"owner_id": 2}}}', fails: "400 VALIDATION_ERROR __proto__", rows: nothing },
    { name: "for updates as well", given: { users, stamped: [{ id: 1, title: "a", owner_id: 1, made_at: "2026-01-01T00:00:00Z" }] }, as: ann,
      send: "PUT /stamped/update", body: { where: { id: 1 }, data: { owner_id: 2 } }, fails: "403 PERMISSION_DENIED owner_id" },
    { name: "and an update of others sets none", given: { users, stamped: [{ id: 1, title: "a", owner_id: 1, made_at: "2026-01-01T00:00:00Z" }] },
      as: { role: "user", sub: "2", email: "bob@example.org" }, send: "PUT /stamped/update", body: { where: { id: 1 }, data: { title: "b" } },
      rows: { stamped: [{ title: "b", owner_id: 1, mail: null, made_at: "2026-01-01T00:00:00+00:00" }] } },
  ]);
});

describe("who may write it", () => {
  const admin = { role: "admin", sub: "1" };
  const asAdmin = (data: Json, more: Partial<Scenario>) => creating(data, { as: admin, ...more });
  // biome-ignore format: one case a line
  scenarios(service, [
    asAdmin({ title: "a", owner_id: 2 }, { name: "sends a value, which is taken", rows: { stamped: [{ owner_id: 2, points: 7 }] } }),
    asAdmin({ title: "a" }, { name: "or sends none", rows: { stamped: [{ owner_id: 1, points: 7, acted_as: "admin" }] } }),
    asAdmin({ title: "a", points: null }, { name: "null is a value", rows: { stamped: [{ points: null }] } }),
    asAdmin({ title: "a", points: 2 }, { name: "checked as any other", fails: "400 VALIDATION_ERROR points" }),
    asAdmin({ title: "a", owner_id: null }, { name: "null where there must be one", fails: "400 VALIDATION_ERROR owner_id" }),
    asAdmin({ title: "a", number: 1 }, { name: "but not the other presets", fails: "403 PERMISSION_DENIED number" }),
    asAdmin({ title: "a", owner_id: 2 },
      { name: "with a subject of 64 bits, which a bigint keeps to the last digit", as: { role: "admin", sub: "9007199254740993" },
        data: expect.objectContaining({ owner_id: 2, big: "9007199254740993", number: null, word: null }) }),
    asAdmin({ title: "a", owner_id: 2 },
      { name: "with a subject that fits nothing", as: { role: "admin", sub: "abc" }, rows: { stamped: [{ owner_id: 2, points: null }] } }),
  ]);
});

describe("many records", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    creating([{ title: "a" }, { title: "b" }],
      { name: "each gets the presets", rows: { stamped: [{ title: "a", owner_id: 1, points: 7 }, { title: "b", owner_id: 1, points: 7 }] } }),
    creating([{ title: "a" }, { title: "b", owner_id: 2 }, {}, 5],
      { name: "only the refused record fails",
        data: expect.objectContaining({ inserted_count: 1,
            failed_records: [{ index: 1, error: "PERMISSION_DENIED", message: expect.any(String), field: "owner_id" },
              { index: 2, error: "VALIDATION_ERROR", message: expect.any(String), field: "title" },
              { index: 3, error: "VALIDATION_ERROR", message: expect.any(String) }] }), rows: { stamped: [{ title: "a", owner_id: 1 }] } }),
    creating([{ title: "a", owner_id: 2 }, { title: "b" }], { name: "a required preset that is NULL refuses only its record",
      as: { role: "admin", sub: "abc" },
      data: expect.objectContaining({ inserted_count: 1,
        failed_records: [
          { index: 1, error: "PERMISSION_DENIED", message: expect.any(String), field: "owner_id" },
        ],
      }),
      rows: { stamped: [{ title: "a", owner_id: 2 }] },
    }),
    { name: "a record may hold nothing, where the server sets some of it", given, as: ann, send: "POST /marked/create", body: { data: {} },
      rows: { marked: [{ user: 1, team: "ann" }] } },
    { name: "in a list too", given, as: ann, send: "POST /marked/create", body: { data: [{}] }, rows: { marked: [{ user: 1, team: "ann" }] } },
  ]);
});

describe("an API key", () => {
  const key = apiKey(1);
  scenarios(service, [
    {
      name: "stands for its user",
      given: { users: [account(1, { handle: "ann", role: "user" })], auth_tokens: [key.row] },
      headers: { "x-api-key": key.key },
      send: "POST /stamped/create",
      body: { data: { title: "a" } },
      rows: { stamped: [{ owner_id: 1, handle: "ann", acted_as: "user" }] },
    },
  ]);
});

test("now() is the clock of the service, not of the database", async () => {
  const ahead = new Date(Date.now() + 600_000);
  vi.setSystemTime(ahead);
  try {
    const { text } = await perform(service, creating({ title: "a" }));
    expect(JSON.parse(text).data.made_at).toBe(ahead.toISOString());
  } finally {
    vi.useRealTimers();
  }
});
