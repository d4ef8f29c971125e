import { beforeAll, describe, expect, it } from "vitest";
import { makeWitnesses, type WitnessWorld } from "#cli/check-access/witnesses/index";
import { guest, type Principal } from "#runtime/models/access/index";
import { newCaller, rulesOf, wrongWitnesses } from "./support/witnesses-of-app.ts";
import { worldOfModels } from "./support/world-of-models.ts";

/** Each rule of a model is one case: its role is the name of the case. */
const halls = {
  fields: {
    name: { type: "string", required: true, unique: true, pattern: "^[A-Z]{2}-\\d{3}(x|y)?$" },
    bookings: { type: "has_many", relationship: { model: "bookings", foreign_key: "hall_id" } },
    owner_id: { type: "belongs_to", relationship: { model: "users" } },
  },
};

// biome-ignore format: one case a line
const cases: readonly (readonly [name: string, condition: string, expected: string])[] = [
  ["a check that conflicts", "ends_at < starts_at", "no row: conflicts with the check ends_after_start, out ends_at < starts_at"],
  ["a check that allows one atom", "starts_at > now() AND ends_at > now() + interval '1 day'", "in, out starts_at > now(), out ends_at > now() + interval '1 day'"],
  ["a check that forbids to break an atom", "seats > 0", "in, no seats > 0: conflicts with the check has_seats"],
  ["times on both sides of now", "starts_at <= now() AND ends_at > now()", "in, out starts_at <= now(), out ends_at > now()"],
  ["a short time", "created_at > now() - interval '15 minutes'", "in, out created_at > now() - interval '15 minutes'"],
  ["an enum", "state IN ('open', 'paid')", "in, out state IN ('open', 'paid')"],
  ["NOT IN", "state NOT IN ('open')", "in, out state NOT IN ('open')"],
  ["a value that the enum forbids to break", "state IN ('open', 'paid', 'closed')", "in, no state IN ('open', 'paid', 'closed'): found no values for NOT state IN ('open', 'paid', 'closed')"],
  ["a contradiction", "state = 'open' AND state = 'paid'", "no row: found no values for state = 'open' AND state = 'paid', out state = 'open', out state = 'paid'"],
  ["bounds", "price BETWEEN 10 AND 20", "in, out price BETWEEN '10.00' AND '20.00'"],
  ["LIKE", "note LIKE 'a_c%' AND NOT note ILIKE '%Z'", "in, out note LIKE 'a_c%', out NOT note ILIKE '%Z'"],
  ["lists", "tags CONTAINS 'red' AND tags OVERLAPS ('blue', 'green')", "in, out tags CONTAINS 'red', out tags OVERLAPS ('blue', 'green')"],
  ["NULL", "note IS NULL AND price IS NOT NULL", "in, out note IS NULL, out price IS NOT NULL"],
  ["OR", "state = 'open' OR user_id = {user_id}", "in, in, out state = 'open', out user_id = {user_id}"],
  ["NOT", "NOT (state = 'open' OR price > 5)", "in, out NOT state = 'open', out NOT price > '5.00'"],
  ["the caller", "user_id = {user_id}", "in, out user_id = {user_id}"],
  ["the caller's e-mail and role", "note = {email} OR note = {role}", "in, in, out note = {email}, out note = {role}"],
  ["a column of the caller", "{user.team} = 'red' AND note = {user.team}", "in, out {user.team} = 'red', out note = {user.team}"],
  ["another user", "user_id <> {user_id} AND hall.owner_id = {user_id}", "in, out user_id <> {user_id}, out hall.owner_id = {user_id}"],
  ["two keys that are equal", "hall.owner_id = user_id", "in, out hall.owner_id = user_id"],
  ["EXISTS", "EXISTS (guests WHERE user_id = {user_id} AND coming = true)", "in, out EXISTS (guests WHERE user_id = {user_id} AND coming = true), out EXISTS (guests WHERE user_id = {user_id}), out EXISTS (guests WHERE coming = true)"],
  ["EXISTS without a condition", "EXISTS (guests)", "in, out EXISTS (guests)"],
  ["NOT EXISTS", "NOT EXISTS (guests WHERE coming = false)", "in, out NOT EXISTS (guests WHERE coming = false)"],
  ["EXISTS and NOT EXISTS of the same row", "EXISTS (guests WHERE coming = true) AND NOT EXISTS (guests WHERE user_id = {user_id})", "in, out EXISTS (guests WHERE coming = true), out EXISTS (guests WHERE coming = true), out NOT EXISTS (guests WHERE user_id = {user_id})"],
  ["two EXISTS that one row must fulfil", "EXISTS (guests WHERE user_id = {user_id}) AND EXISTS (guests WHERE user_id = {user_id} AND coming = true)", "in, out EXISTS (guests WHERE user_id = {user_id} AND coming = true), out EXISTS (guests WHERE user_id = {user_id}), out EXISTS (guests WHERE coming = true), no EXISTS (guests WHERE user_id = {user_id}): the rows that were tried still fulfil the condition, no EXISTS (guests WHERE user_id = {user_id}): the rows that were tried still fulfil the condition"],
  ["rows of the same model", "NOT EXISTS (hall.bookings WHERE id <> this.id AND starts_at < this.ends_at AND ends_at > this.starts_at)", "in, out NOT EXISTS (hall.bookings WHERE id <> this.id AND starts_at < this.ends_at AND ends_at > this.starts_at)"],
  ["has_one", "bill.paid = true", "in, out bill.paid = true"],
  ["no has_one", "NOT EXISTS (bill)", "in, out NOT EXISTS (bill)"],
  ["a named condition", "hers(hall)", "in, out hall.owner_id = {user_id}"],
];

const bookings = {
  soft_delete: true,
  unique: [["hall_id", "user_id"]],
  checks: [
    { name: "ends_after_start", condition: "ends_at > starts_at", field: "ends_at", message: "No." },
    { name: "has_seats", condition: "seats > 0", field: "seats", message: "No." },
  ],
  fields: {
    hall_id: { type: "belongs_to", required: true, relationship: { model: "halls" } },
    user_id: { type: "belongs_to", required: true, relationship: { model: "users" } },
    starts_at: { type: "datetime", required: true },
    ends_at: { type: "datetime", required: true },
    seats: { type: "integer", required: true },
    state: { type: "string", required: true, enum: ["open", "paid", "closed"], default: "open" },
    price: { type: "decimal", precision: 8, scale: 2, minimum: 0, maximum: 100 },
    note: { type: "string", max_length: 40 },
    tags: { type: "string[]", max_items: 3 },
    guests: { type: "has_many", relationship: { model: "guests", foreign_key: "booking_id" } },
    bill: { type: "has_one", relationship: { model: "bills", foreign_key: "booking_id" } },
  },
  access: { fetch: cases.map(([, condition], index) => ({ role: `case_${index}`, condition })) },
};

const models = {
  $conditions: { hers: { on: "halls", condition: "owner_id = {user_id}" } },
  users: { fields: { team: { type: "string", enum: ["red", "blue"] } } },
  halls,
  bookings,
  guests: {
    unique: [["booking_id", "user_id"]],
    fields: {
      booking_id: { type: "belongs_to", required: true, relationship: { model: "bookings" } },
      user_id: { type: "belongs_to", required: true, relationship: { model: "users" } },
      coming: { type: "boolean", required: true },
    },
  },
  bills: {
    fields: {
      booking_id: { type: "belongs_to", required: true, unique: true, relationship: { model: "bookings" } },
      paid: { type: "boolean", required: true },
    },
  },
};

let world: WitnessWorld;
let caller: Principal;

beforeAll(async () => {
  world = await worldOfModels(models);
  caller = await newCaller(world, "5", "user");
});

function conditionOf(index: number) {
  return rulesOf(world).find(({ rule }) => rule.role === `case_${index}`)?.rule.condition ?? null;
}

describe("witnesses", () => {
  it.each(cases.map((each, index) => [index, ...each] as const))("%i: %s", async (index, _, __, expected) => {
    const condition = conditionOf(index);
    if (condition === null) throw new Error("the rule has no condition");
    const { rows, missing } = await makeWitnesses(world, {
      model: "bookings",
      condition,
      caller,
      state: "live",
    });
    const found = [
      ...missing.filter(({ kind }) => kind === "in").map(({ reason }) => `no row: ${reason}`),
      ...rows.map(({ kind, atom }) => (kind === "in" ? "in" : `out ${atom}`)),
      ...missing.filter(({ kind }) => kind === "out").map(({ atom, reason }) => `no ${atom}: ${reason}`),
    ];
    expect(found.join(", ")).toBe(expected);
    expect(await wrongWitnesses(world, "bookings", condition, rows)).toEqual([]);
  });

  it("a guest has no id", async () => {
    const index = cases.findIndex(([name]) => name === "the caller");
    const condition = conditionOf(index);
    const { rows, missing } = await makeWitnesses(world, {
      model: "bookings",
      condition,
      caller: guest,
      state: "live",
    });
    expect(rows).toEqual([]);
    expect(missing[0]).toEqual({ kind: "in", atom: null, reason: "the caller has no {user_id}" });
  });

  it("rows for restore are deleted", async () => {
    const request = { model: "bookings", condition: null, caller, state: "deleted" } as const;
    const { rows } = await makeWitnesses(world, request);
    const text = "select deleted_at is not null from bookings where id = any($1)";
    const found = await world.database.run({ name: null, text }, [rows.map(({ id }) => id)]);
    expect(found).toEqual([["t"]]);
  });

  it("a record has only what the caller can write and must send", async () => {
    const index = cases.findIndex(([name]) => name === "an enum");
    const request = { model: "bookings", condition: conditionOf(index), caller };
    const { rows, missing } = await makeWitnesses(world, {
      ...request,
      state: { closed: new Set(["note"]) },
    });
    expect(rows.map(({ kind, data }) => [kind, Object.keys(data ?? {}), data?.["state"]])).toEqual([
      ["in", ["hall_id", "user_id", "starts_at", "ends_at", "seats", "state"], "open"],
      ["out", ["hall_id", "user_id", "starts_at", "ends_at", "seats", "state"], "closed"],
    ]);
    expect(missing).toEqual([]);
    const closed = await makeWitnesses(world, { ...request, state: { closed: new Set(["state"]) } });
    expect(closed.missing.map(({ reason }) => reason)).toEqual(["the caller cannot write state"]);
  });

  it("texts match the pattern of their field", async () => {
    await makeWitnesses(world, { model: "halls", condition: null, caller, state: "live" });
    const text = "select count(*) from halls where name !~ '^[A-Z]{2}-[0-9]{3}(x|y)?$'";
    expect(await world.database.run({ name: null, text }, [])).toEqual([["0"]]);
  });
});

it("rows of two models that need each other have no witness", async () => {
  const to = (model: string, unique = false) => ({
    type: "belongs_to",
    required: true,
    unique,
    relationship: { model },
  });
  const access = { fetch: [{ role: "*" }] };
  const cycle = await worldOfModels({
    shops: { fields: { manager_id: to("managers", true) }, access },
    managers: { fields: { shop_id: to("shops") }, access },
    sales: { fields: { shop_id: to("shops") }, access },
  });
  for (const model of ["shops", "managers", "sales"])
    expect(
      await makeWitnesses(cycle, { model, condition: null, caller: guest, state: "live" }),
    ).toMatchObject({
      rows: [],
      missing: [{ reason: expect.stringContaining("needs another row of") }],
    });
});
