import { describe, expect } from "vitest";
import type { Json } from "#vocabulary/json";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";

const service = await testService();

const denied = "403 PERMISSION_DENIED";

describe("an operation without a rule for the role is denied", () => {
  const operations = [
    ["GET", "fetch"],
    ["GET", "search"],
    ["GET", "count"],
    ["GET", "exists?id=1"],
    ["POST", "create"],
    ["PUT", "update"],
    ["PUT", "upsert"],
    ["DELETE", "delete"],
    ["DELETE", "destroy"],
    ["PATCH", "restore"],
  ] as const;
  // biome-ignore format: one case a line
  scenarios(service, [
    ...operations.map(([method, path]) => ({ send: `${method} /tasks/${path}`, as: null, fails: denied })),
    ...operations
      .filter(([, path]) => !["search", "restore"].includes(path))
      .map(([method, path]) => ({ send: `${method} /order/${path}`, as: "superadmin", fails: denied })),
    { name: "no entry at all, for admin too", send: "DELETE /order/destroy?id=1", as: "admin", fails: denied },
    { name: "no entry for upsert, and none for create", send: "PUT /rows/upsert", as: "all", fails: denied },
    { name: "roles are compared exactly", send: "GET /tasks/fetch", as: "Admin", fails: denied },
    { name: "a denied operation says nothing of the body", send: "POST /tasks/create", as: null, body: "{", fails: denied },
    { name: "a rule for everybody lets guests in", send: "GET /things/fetch", as: null, data: [] },
    { name: "and callers of any role", send: "GET /things/fetch", as: "unnamed", data: [] },
  ]);
});

describe("a new row must satisfy the condition", () => {
  const create = (data: Json, as: Caller, more: Partial<Scenario>): Scenario => ({
    send: "POST /tasks/create",
    body: { data },
    as,
    ...more,
  });
  const seven = { role: "user", sub: "7" };
  const refused = { fails: denied, rows: { tasks: [] } };
  // biome-ignore format: one case a line
  scenarios(service, [
    create({ title: "a", user: 7 }, seven, { name: "with its default", data: expect.objectContaining({ user: 7, status: "open" }) }),
    create({ title: "a", user: 8 }, seven, { name: "for another", ...refused }),
    create({ title: "a" }, seven, { name: "without the field", ...refused }),
    create({ title: "a", user: null }, seven, { name: "with null", ...refused }),
    create({ title: "a", user: 7, status: "done" }, seven, { name: "against its second half", ...refused }),
    create({ title: "a", user: 7 }, { role: "user", sub: "seven" }, { name: "of a subject that is no number", ...refused }),
    create({ title: "a", user: 8 }, "staff", { name: "unless the role has no condition", data: expect.objectContaining({ user: 8 }) }),
    { name: "a default counts", send: "POST /defaults/create", body: { data: { name: "x" } }, as: "small",
      data: expect.objectContaining({ size: "small" }) },
    { name: "so do the time stamps that the server sets", send: "POST /defaults/create", body: { data: { name: "x" } }, as: "fresh",
      data: expect.objectContaining({ name: "x" }) },
    { name: "against a default", send: "POST /defaults/create", body: { data: { integer: 8 } }, as: "small", fails: denied, rows: { defaults: [] } },
    create({ user: 8 }, seven, { name: "malformed and out of reach: the body is checked first", fails: "400 VALIDATION_ERROR title" }),
  ]);
});

describe("rows must satisfy the condition before and after an update", () => {
  const given = {
    tasks: [
      { id: 1, title: "a", user: 7 },
      { id: 2, title: "b", user: 8 },
      { id: 3, title: "c", user: 7, status: "done" },
    ],
  };
  const update = (where: Json, data: Json, more: Partial<Scenario>): Scenario => ({
    given,
    send: "PUT /tasks/update",
    body: { where, data },
    as: { role: "user", sub: "7" },
    ...more,
  });
  const refused = { fails: denied, rows: given };
  // biome-ignore format: one case a line
  scenarios(service, [
    update({ id: 1 }, { project: "p" }, { data: { updated_count: 1, updated_ids: [1] } }),
    update({ id: 2 }, { project: "p" }, { name: "another's row", ...refused }),
    update({ id: 3 }, { project: "p" }, { name: "a closed row", ...refused }),
    update({ id: 3 }, { status: "open" }, { name: "opening a closed row", ...refused }),
    update({ id: 1 }, { status: "done" }, { name: "closing an open row", ...refused }),
    update({ id: 1 }, { user: 8 }, { name: "giving a row away", ...refused }),
    update({ id: 2 }, { user: 7 }, { name: "taking a row", ...refused }),
    update({ user: 7 }, { project: "p" }, { name: "one of several: nothing is written", ...refused }),
    update({ id: 9 }, { user: 7 }, { name: "no row", fails: "404 NOT_FOUND", rows: given }),
    update({ id: 2 }, { project: 5 }, { name: "malformed and out of reach: the body is checked first", fails: "400 VALIDATION_ERROR project" }),
    update({ id: 1 }, { project: "p" }, { name: "no rule", as: "staff", ...refused }),
  ]);
});

const person = {
  id: 1,
  name: "Ann",
  nick: "zed",
  salary: 5,
  badge: "b",
  sealed: "s",
  open: "o",
  file: {},
  secret: "$2",
};
const given = { people: [person] };
const reading = (as: Caller, query: string, more: Partial<Scenario>): Scenario => ({
  name: `${as} ${query}`,
  given,
  as,
  send: `GET /people/fetch${query}`,
  ...more,
});
const any = expect.anything();
const stamps = { updated_at: any, deleted_at: null };

describe("fields that a role may read", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    reading("user", "", { data: [{ id: 1, name: "Ann", badge: "b", open: "o", ...stamps }] }),
    reading(null, "", { data: [{ id: 1, name: "Ann", badge: "b", open: "o", ...stamps }] }),
    reading("admin", "", { data: [{ id: 1, name: "Ann", nick: "zed", salary: 5, badge: "b", open: "o", ...stamps }] }),
    reading("staff", "", { data: [{ id: 1, name: "Ann", nick: "zed", salary: 5, badge: "b", open: "o", file: {}, created_at: any, ...stamps }] }),
    reading("stranger", "", { data: [{ badge: "b", open: "o", ...stamps }] }),
    reading("staff", "?select_fields=salary,created_at&salary__gt=1&order_by=salary", { data: [{ salary: 5, created_at: any }] }),
  ]);
});

describe("fields that the role may not read are refused in every part of a request", () => {
  // biome-ignore format: many a line
  const uses = (field: string, as: Caller) =>
    [
      `?select_fields=${field}`, `?select_fields=id,${field}`, `?order_by=${field}`, `?${field}__is_null=1`, `?${field}__is_not_null=1`,
    ].map((query) => reading(as, query, { fails: `${denied} ${field}` }));
  // biome-ignore format: one case a line
  scenarios(service, [
    ...uses("salary", "user"),
    ...uses("sealed", "staff"),
    ...uses("created_at", "admin"),
    ...uses("file", "admin").filter(({ send }) => !send.includes("order_by")),
    ...uses("secret", "admin"),
    ...uses("secret", "staff"),
    reading("stranger", "?order_by=id", { fails: `${denied} id` }),
    reading("user", "?salary=5", { fails: `${denied} salary` }),
    reading("user", "?nick__like=z", { fails: `${denied} nick` }),
    reading("admin", "?secret=x", { fails: `${denied} secret` }),
    reading("admin", "?secret__like=x", { fails: `${denied} secret` }),
    reading("user", "?salary__in=1,2", { send: "GET /people/search?salary__in=1,2", fails: `${denied} salary` }),
    ...["delete", "destroy"].flatMap((operation) => [
      { ...reading("user", operation, {}),
        send: `DELETE /people/${operation}`,
        body: { query: { salary__gt: 0 } },
        fails: `${denied} salary`,
        rows: given,
      },
      { ...reading("user", `${operation}?`, {}),
        send: `DELETE /people/${operation}?sealed=s`,
        fails: `${denied} sealed`,
        rows: given,
      },
    ]),
    { name: "where of update", given, as: "user", send: "PUT /people/update", body: { where: { salary: 5 }, data: { open: "x" } },
      fails: `${denied} salary`, rows: given },
    { name: "where of restore", given, as: "user", send: "PATCH /people/restore", body: { where: { nick: "zed" }, data: { deleted_at: null } },
      fails: `${denied} nick` },
    { name: "a password in where, for admin", given, as: "admin", send: "PUT /people/update",
      body: { where: { secret: "x" }, data: { open: "x" } }, fails: `${denied} secret` },
  ]);
});

describe("403 comes before 400", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    reading("user", "?salary=x", { fails: `${denied} salary` }),
    reading("user", "?salary__foo=1", { fails: `${denied} salary` }),
    reading("user", "?salary=", { fails: `${denied} salary` }),
    reading("user", "?nothing=1&limit=0&salary=1", { fails: `${denied} salary` }),
    reading("user", "?salary=1&salary=1", { fails: `${denied} salary` }),
    reading("user", "?order_by=salary&order=up", { fails: `${denied} salary` }),
    reading("user", "?order_by=file", { fails: `${denied} file` }),
    reading("user", "?select_fields=salary,nothing", { fails: `${denied} salary` }),
    reading("staff", "?order_by=file", { fails: "400 VALIDATION_ERROR order_by" }),
    { name: "create", as: "user", send: "POST /people/create", body: { data: { salary: "x", nothing: 1 } }, fails: `${denied} salary` },
    { name: "update", as: "user", send: "PUT /people/update", body: { where: {}, data: { salary: "x" } }, fails: `${denied} salary` },
    { name: "update without where", as: "user", send: "PUT /people/update", body: { data: { salary: 1 } }, fails: `${denied} salary` },
    { name: "upsert", as: "user", send: "PUT /people/upsert", body: { data: { sealed: 1 } }, fails: `${denied} sealed` },
  ]);
});

describe("fields that a role may write", () => {
  const create = (as: Caller, data: Json, more: Partial<Scenario>): Scenario => ({
    name: `${as} ${JSON.stringify(data)}`,
    as,
    send: "POST /people/create",
    body: { data },
    ...more,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    create("admin", { name: "a", salary: 1 }, { rows: { people: [{ salary: 1, sealed: "wax" }] } }),
    create("staff", { name: "a", badge: "b" }, { data: expect.objectContaining({ badge: "b" }) }),
    create("user", { name: "a", nick: "n", file: {} },
      { data: { id: any, name: "a", badge: null, open: null, ...stamps }, rows: { people: [{ nick: "n", file: {} }] } }),
    create("stranger", { name: "a", open: "o" }, { data: { badge: null, open: "o", ...stamps } }),
    create("staff", { name: "a", salary: 1 }, { fails: `${denied} salary`, rows: { people: [] } }),
    create("staff", { name: "a", salary: null }, { fails: `${denied} salary`, rows: { people: [] } }),
    create("admin", { name: "a", badge: "b" }, { fails: `${denied} badge` }),
    create("admin", { name: "a", sealed: "s" }, { fails: `${denied} sealed` }),
    create("user", { name: "a", secret: "s" }, { fails: `${denied} secret` }),
    ...["salary", "badge", "sealed"].map((field) => ({ name: `update of ${field}`,
      given,
      as: "user",
      send: "PUT /people/update",
      body: { where: { id: 1 }, data: { [field]: null } },
      fails: `${denied} ${field}`,
      rows: given,
    })),
    { name: "a role that may not read ids gets none", given, as: "stranger", send: "PUT /people/update",
      body: { where: { open: "o" }, data: { open: "p" } }, data: { updated_count: 1, updated_ids: [] } },
    { name: "nor from upsert", given, as: "stranger", send: "PUT /people/upsert", body: { data: { name: "x", open: "p" } },
      fails: "400 VALIDATION_ERROR data" },
  ]);
});

describe("a search with the rules of fetch", () => {
  const tickets = [
    { id: 1, title: "late", status: "open" },
    { id: 2, title: "lately", status: "done" },
  ];
  const search = { given: { tickets }, send: "GET /tickets/search?search_term=late&select_fields=id" };
  const aggregate = {
    given: { tickets },
    send: "POST /graphql",
    body: { query: "{ tickets_aggregate { count } }" },
  };
  // biome-ignore format: one case a line
  scenarios(service, [
    { ...search, name: "finds the rows that a guest can fetch", as: null, data: [{ id: 1 }] },
    { ...search, name: "finds the rows that a user can fetch", as: "user", data: [{ id: 1 }, { id: 2 }] },
    { ...aggregate, name: "counts the rows that a guest can fetch", as: null, data: { tickets_aggregate: [{ count: 1 }] } },
  ]);
});
