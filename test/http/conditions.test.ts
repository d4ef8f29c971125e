import { describe } from "vitest";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";

const service = await testService();

const subject = "1a000000-0000-4000-8000-000000000001";
const rows = [
  { id: 1, number: 1, word: "apple", flag: true, day: "2000-01-01", moment: "2000-01-01", extra: {} },
  { id: 2, number: 2, word: "banana", flag: false, day: "9000-01-01", moment: "9000-01-01", ref: subject },
  { id: 3, number: 3, word: "B\\_\\%", flag: null },
  { id: 4, number: null, word: "O'Brien" },
];

const reaches = (as: Caller, ...ids: number[]): Scenario => ({
  name: `${JSON.stringify(as)} reaches ${ids.join() || "nothing"}`,
  given: { rows },
  as,
  send: "GET /rows/fetch?select_fields=id",
  data: ids.map((id) => ({ id })),
});

describe("operators", () => {
  scenarios(service, [
    reaches("eq", 2),
    reaches("ne", 1, 3),
    reaches("ne_sql", 1, 3),
    reaches("lt", 1),
    reaches("lte", 1, 2),
    reaches("gt", 3),
    reaches("gte", 2, 3),
    reaches("like", 2),
    reaches("like_slash", 3),
    reaches("ilike", 2, 3),
    reaches("not_like", 1, 3, 4),
    reaches("in", 1, 3),
    reaches("not_in", 2),
    reaches("null", 4),
    reaches("not_null", 1, 2, 3),
    reaches("eq_null", 4),
    reaches("between", 2, 3),
    reaches("not_between", 1),
    reaches("and_or", 1),
    reaches("parens", 2),
    reaches("quote", 4),
    reaches("true", 1),
    reaches("false", 2),
    reaches("past", 1),
    reaches("future", 2),
    reaches("json", 1),
  ]);
});

describe("claims of the caller", () => {
  const named = (role: string, word: string, ...ids: number[]): Scenario => ({
    ...reaches(role, ...ids),
    name: `${role} against ${word}`,
    given: { rows: [{ id: 1, word }] },
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    reaches({ role: "caller", sub: "2" }, 2),
    reaches({ role: "reverse", sub: "3" }, 3),
    reaches({ role: "not_caller", sub: "2" }, 1, 3),
    ...["abc", "2.0", " 2", "2147483648", "99999999999999999999", "1 or 1=1", "0x2"].flatMap((sub) => [
      reaches({ role: "caller", sub }),
      reaches({ role: "not_caller", sub }),
    ]),
    reaches({ role: "subject", sub: subject }, 2),
    reaches({ role: "subject", sub: subject.toUpperCase() }, 2),
    reaches({ role: "subject", sub: "7" }),
    reaches({ role: "mail", email: "O'Brien" }, 4),
    reaches({ role: "mail", email: "'; drop table rows; --" }),
    reaches({ role: "mail", email: "" }),
    named("named", "named", 1),
    named("named", "NAMED"),
    { ...named("na_e_", "na_e_", 1), name: "a claim in LIKE is itself" },
    { ...named("na_e_", "named"), name: "its wildcards are none" },
    { ...reaches(null), name: "for a guest every comparison is NULL" },
    { ...reaches(null, 2), name: "but rules for everybody hold", given: { rows: [{ id: 1, word: "x" }, { id: 2, word: "everybody" }] } },
  ]);
});

describe("rules of one role are joined with OR", () => {
  const everybody = { id: 5, number: 5, word: "everybody" };
  // biome-ignore format: one case a line
  scenarios(service, [
    reaches("two", 1, 3),
    { ...reaches("two", 1, 3, 5), name: "with those for everybody", given: { rows: [...rows, everybody] } },
    { ...reaches("all", 1, 2, 3, 4), name: "one without a condition opens all rows" },
    { ...reaches("stranger", 5), name: "an unknown role has those for everybody", given: { rows: [...rows, everybody] } },
    { name: "a token cannot have the role *", as: "*", send: "GET /rows/fetch", fails: "401 INVALID_TOKEN" },
    { ...reaches("eq"), name: "filters narrow what a condition opens, they never widen it", send: "GET /rows/fetch?select_fields=id&number=1" },
    { ...reaches("two"), name: "count", send: "GET /rows/count", data: { count: 2 } },
    { ...reaches("two"), name: "exists", send: "GET /rows/exists?number=2", data: { exists: false } },
    { ...reaches("two", 1), name: "the total of a page counts rows in reach", send: "GET /rows/fetch?select_fields=id&limit=1&page=1",
      pagination: { limit: 1, page: 1, offset: 0, total: 2, total_pages: 2, has_more: true } },
  ]);
});

const a = "0a000000-0000-4000-8000-00000000000a";
const b = "0b000000-0000-4000-8000-00000000000b";
const dead = "0d000000-0000-4000-8000-00000000000d";
// biome-ignore format: several rows a line
const family = {
  owners: [{ id: a, user_id: 7, mail: "a@example.org" }, { id: b, user_id: 8, level: "high" },
    { id: dead, user_id: 7, mail: "d@example.org", level: "high", deleted_at: "2026-01-01" }],
  pets: [{ id: 1, name: "one", owner_id: a }, { id: 2, name: "two", owner_id: b }, { id: 3, name: "three", owner_id: dead }],
};
const seven = { role: "user", sub: "7" };

const pets = (as: Caller, ...ids: number[]): Scenario => ({
  ...reaches(as, ...ids),
  given: family,
  send: "GET /pets/fetch?select_fields=id",
});
const writing = (
  name: string,
  send: string,
  body: Scenario["body"],
  outcome: Partial<Scenario>,
): Scenario => ({ name, given: family, as: seven, send, body, ...outcome });
const forbidden = { fails: "403 PERMISSION_DENIED", rows: { pets: family.pets } };

describe("conditions over a relation", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    pets(seven, 1),
    pets({ role: "user", sub: "8" }, 2),
    pets({ role: "user", sub: "x" }),
    pets({ role: "mail", email: "a@example.org" }, 1),
    { ...pets({ role: "mail", email: "d@example.org" }), name: "a deleted parent does not count" },
    { ...pets("high", 2), name: "NOT over a parent that is deleted is NULL" },
    writing("a new row under an own parent", "POST /pets/create", { data: { name: "n", owner_id: a } }, {}),
    writing("under another's parent", "POST /pets/create", { data: { name: "n", owner_id: b } }, forbidden),
    writing("under a deleted parent", "POST /pets/create", { data: { name: "n", owner_id: dead } }, forbidden),
    writing("under a parent that is not there", "POST /pets/create", { data: { name: "n", owner_id: subject } }, forbidden),
    writing("a change", "PUT /pets/update", { where: { id: 1 }, data: { name: "n" } }, {}),
    writing("moved to another's parent", "PUT /pets/update", { where: { id: 1 }, data: { owner_id: b } }, forbidden),
    writing("taken from another", "PUT /pets/update", { where: { id: 2 }, data: { owner_id: a } }, forbidden),
    writing("upsert that inserts", "PUT /pets/upsert", { data: { name: "n", owner_id: a } }, {}),
    writing("upsert under another's parent", "PUT /pets/upsert", { data: { name: "n", owner_id: b } }, forbidden),
    writing("upsert that takes a row", "PUT /pets/upsert", { data: { name: "two", owner_id: a } }, forbidden),
    writing("upsert that gives a row away", "PUT /pets/upsert", { data: { name: "one", owner_id: b } }, forbidden),
    writing("a bulk, per record", "POST /pets/create", { data: [{ name: "n", owner_id: b }, { name: "m", owner_id: a }] },
      { rows: { pets: [...family.pets, { name: "m" }] } }),
    writing("a removal", "DELETE /pets/delete", { query: { id: 1 } }, { rows: { pets: family.pets.slice(1) } }),
    writing("of another's row", "DELETE /pets/delete", { ids: [1, 2] }, forbidden),
  ]);
});

describe("fields that are named like words of JavaScript and SQL", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "in a condition over a relation of the same kind",
      given: { select: [{ id: 1, order: "by" }, { id: 2, constructor: "user", function_id: 1 }, { id: 3, constructor: "user" }] }, as: "user",
      send: "GET /order/fetch?select_fields=id,constructor&constructor__ne=x&select=1", data: [{ id: 2, constructor: "user" }] },
    { name: "unreadable", as: "user", send: "GET /order/fetch?toString=x", fails: "403 PERMISSION_DENIED toString" },
    { name: "in a filter", as: "admin", send: "GET /order/fetch?toString__like=x&order_by=constructor&order=desc", data: [] },
    { name: "behind the parameter of its name", as: "admin", given: { select: [{ id: 1, order: "desc" }] },
      send: "GET /order/count?order__in=desc", data: { count: 1 } },
    { name: "in the condition of a new row", as: "user", send: "POST /order/create", body: { data: { class: true } } },
    { name: "that it does not satisfy", as: "user", send: "POST /order/create", body: { data: { order: "x" } }, fails: "403 PERMISSION_DENIED" },
    { name: "search", as: "admin", given: { select: [{ id: 1, constructor: "Needle" }] },
      send: "GET /order/search?search_term=need&select_fields=id", data: [{ id: 1 }] },
    { name: "upsert", as: "admin", given: { select: [{ id: 1, order: "x" }] }, send: "PUT /order/upsert",
      body: { data: { order: "x", default: "2026-01-01" } }, rows: { select: [{ default: "2026-01-01" }] } },
  ]);
});

const users = [
  { id: 1, email: "ann@example.org" },
  { id: 2, email: "bob@example.org", is_active: false },
  { id: 3, email: "cid@example.org", points: 5 },
];
const letters = users.map(({ id }) => ({ id: id + 10, author_id: id }));
const given = { users, letters };

describe("a model that refers to accounts", () => {
  const write = (author: number, rest: Partial<Scenario>): Scenario => ({
    given: { users },
    as: { role: "user", sub: "1" },
    send: "POST /letters/create",
    body: { data: { author_id: author } },
    ...rest,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "a condition over columns of the service and of the app", given, as: "staff", send: "GET /letters/fetch?select_fields=id",
      data: [{ id: 11 }] },
    { name: "the caller's own row", given, as: { role: "user", sub: "2" }, send: "GET /letters/fetch?select_fields=id", data: [{ id: 12 }] },
    write(1, { name: "written for the caller", rows: { letters: [{ author_id: 1 }] } }),
    write(2, { name: "written for another user", fails: "403 PERMISSION_DENIED", rows: { letters: [] } }),
    write(2,
      { name: "written by an account that is not active", as: { role: "user", sub: "2" }, fails: "403 PERMISSION_DENIED", rows: { letters: [] } }),
    { name: "accounts have no model routes", given, as: "admin", send: "GET /users/fetch", fails: "404 NOT_FOUND" },
  ]);
});
