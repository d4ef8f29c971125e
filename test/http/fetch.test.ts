import { describe, expect, test } from "vitest";
import { requestOf } from "../support/request.ts";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const uuid = "1a000000-0000-4000-8000-000000000001";
const owner = "0a000000-0000-4000-8000-00000000000a";
const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-02T03:04:05.6Z" };

const full = {
  id: 1,
  ...times,
  string: 'a "quoted" \\ text\n€',
  text: "",
  integer: 0,
  float: 0.1,
  boolean: false,
  datetime: "2026-06-01T12:00:00+02:00",
  timestamp: "0001-01-01T00:00:00.001Z",
  date: "9999-12-31",
  email: "ä@exämple.org",
  json: { b: [1, { c: null }], a: "x" },
  uuid: uuid.toUpperCase(),
  password: "$2b$12$hash",
  size: "small",
  grade: 1,
  owner_id: owner,
};

describe("what a row looks like", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "each type, id first, time stamps with milliseconds, no password", given: { owners: [{ id: owner, user_id: 1 }], things: [full] },
      send: "GET /things/fetch",
      data: [{ ...full, uuid, datetime: "2026-06-01T10:00:00.000Z", created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-02T03:04:05.600Z", twin_id: null, password: undefined }] },
    { name: "nothing but nulls", given: { things: [{ id: 9007199254740991, ...times }] },
      send: "GET /things/fetch?select_fields=id,string,json,boolean,datetime",
      data: [{ id: 9007199254740991, string: null, boolean: null, datetime: null, json: null }] },
    { name: "no rows", send: "GET /things/fetch", data: [] },
    { name: "deleted_at of a live row is null", given: { notes: [{ id: uuid, body: "x", ...times }] },
      send: "GET /notes/fetch?select_fields=id,deleted_at", data: [{ id: uuid, deleted_at: null }] },
    { name: "the slug is the path, not key or table", send: "GET /strict-things/fetch", data: [] },
    { name: "the key is no path where there is a slug", send: "GET /strict/fetch", fails: "404 NOT_FOUND" },
    { name: "nor is the table", send: "GET /strict_rows/fetch", fails: "404 NOT_FOUND" },
  ]);

  test("keys follow the order of the model's fields, id first", async () => {
    await service.store({ things: [{ id: 1 }] });
    const { text } = await service.send(requestOf("GET /things/fetch?select_fields=grade,string,id"));
    expect(text).toContain('"data":[{"id":1,"string":null,"grade":null}]');
  });

  test("a time stamp that was answered finds its row", async () => {
    await service.store({ things: [{ id: 1, datetime: "2026-01-01T00:00:00.123456Z" }] });
    const { envelope } = await service.send({ method: "GET", path: "/things/fetch?select_fields=datetime" });
    expect(envelope.data).toEqual([{ datetime: "2026-01-01T00:00:00.123Z" }]);
    const again = await service.send(requestOf("GET /things/count?datetime=2026-01-01T00:00:00.123Z"));
    expect(again.envelope.data).toEqual({ count: 1 });
  });
});

const numbered = (count: number) => ({
  things: Array.from({ length: count }, (_, index) => ({ id: index + 1, integer: index % 2 })),
});
const ids = (...list: number[]) => list.map((id) => ({ id }));
const page = (query: string, data: object[], pagination?: object): Scenario => ({
  given: numbered(7),
  send: `GET /things/fetch?select_fields=id&${query}`,
  data,
  ...(pagination !== undefined && { pagination }),
});
const refused = (query: string, field = query.split("=")[0]): Scenario => ({
  send: `GET /things/fetch?${query}`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

describe("pages", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "ten rows by default", given: { notes: Array.from({ length: 12 }, () => ({ body: "x" })) },
      send: "GET /notes/fetch?select_fields=body", data: Array(10).fill({ body: "x" }) },
    page("", ids(1, 2, 3, 4, 5)),
    page("limit=2", ids(1, 2)),
    page("limit=6", ids(1, 2, 3, 4, 5)),
    page("limit=99999999999999999999", ids(1, 2, 3, 4, 5)),
    page("page=1&limit=6", ids(1, 2, 3, 4, 5), { limit: 5, page: 1, offset: 0, total: 7, total_pages: 2, has_more: true }),
    page("page=2&limit=3", ids(4, 5, 6), { limit: 3, page: 2, offset: 3, total: 7, total_pages: 3, has_more: true }),
    page("page=3&limit=3", ids(7), { limit: 3, page: 3, offset: 6, total: 7, total_pages: 3, has_more: false }),
    page("page=9&limit=3", [], { limit: 3, page: 9, offset: 24, total: 7, total_pages: 3, has_more: false }),
    page("offset=4&limit=3", ids(5, 6, 7), { limit: 3, page: 2, offset: 4, total: 7, total_pages: 3, has_more: false }),
    page("offset=0", ids(1, 2, 3, 4, 5), { limit: 5, page: 1, offset: 0, total: 7, total_pages: 2, has_more: true }),
    page("page=1&offset=5&limit=2", ids(1, 2), { limit: 2, page: 1, offset: 0, total: 7, total_pages: 4, has_more: true }),
    page("integer=1&page=1&limit=2", ids(2, 4), { limit: 2, page: 1, offset: 0, total: 3, total_pages: 2, has_more: true }),
    page("integer=5&page=1", [], { limit: 5, page: 1, offset: 0, total: 0, total_pages: 0, has_more: false }),
    ...["limit=0", "limit=-1", "limit=1.5", "limit=x", "limit=", "limit=%201", "page=0", "page=-1", "page=x"].map((query) => refused(query)),
    ...["page=", "offset=-1", "offset=x", "offset=", "page=9007199254740993&limit=5"].map((query) => refused(query)),
    refused("limit=1&limit=1"),
    refused("page=1&limit=0", "limit"),
  ]);
});

const ordered = (query: string, ...data: number[]): Scenario => ({
  given: {
    things: [
      { id: 1, integer: 2, string: "b", boolean: true, created_at: "2026-01-03T00:00:00Z", json: {} },
      { id: 2, integer: null, string: "a", created_at: "2026-01-02T00:00:00Z" },
      { id: 3, integer: 1, string: "b", boolean: false, created_at: "2026-01-01T00:00:00Z" },
      { id: 4, integer: 2, string: null, created_at: "2026-01-04T00:00:00Z" },
    ],
  },
  send: `GET /things/fetch?select_fields=id&${query}`,
  data: ids(...data),
});

describe("order", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    ordered("", 1, 2, 3, 4),
    ordered("order=DESC", 4, 3, 2, 1),
    ordered("order_by=id&order=desc", 4, 3, 2, 1),
    ordered("order_by=integer", 3, 1, 4, 2),
    ordered("order_by=integer&order=ASC", 3, 1, 4, 2),
    ordered("order_by=integer&order=Desc", 2, 4, 1, 3),
    ordered("order_by=string", 2, 1, 3, 4),
    ordered("order_by=string&order=DESC", 4, 3, 1, 2),
    ordered("order_by=boolean", 3, 1, 2, 4),
    ordered("order_by=created_at", 3, 2, 1, 4),
    ordered("order_by=uuid", 1, 2, 3, 4),
    refused("order_by=updated_at&order_by=updated_at"),
    { name: "deleted_at is orderable on a soft-delete model", given: { notes: [{ id: uuid, body: "x" }] },
      send: "GET /notes/fetch?order_by=deleted_at&select_fields=id", data: [{ id: uuid }] },
    refused("order_by=deleted_at"), refused("order_by=json"), refused("order_by=nothing"), refused("order_by="),
    refused("order_by=integer,id"), refused("order_by=integer%20desc"), refused("order_by=constructor"), refused("order=up"),
    refused("order="),
  ]);

  test("pages over equal values never overlap", async () => {
    await service.store({ things: Array.from({ length: 20 }, (_, id) => ({ id: id + 1, grade: 1 })) });
    const seen: unknown[] = [];
    for (let page = 1; page <= 4; page++) {
      const path = `/things/fetch?order_by=grade&limit=5&page=${page}&select_fields=id`;
      const { data } = (await service.send({ method: "GET", path })).envelope;
      if (Array.isArray(data)) seen.push(...data);
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, id) => ({ id: id + 1 })));
  });
});

const selected = (value: string, data: object): Scenario => ({
  given: { things: [{ id: 1, string: "a" }] },
  send: `GET /things/fetch?select_fields=${value}`,
  data: [data],
});

describe("selection", () => {
  scenarios(service, [
    selected("string", { string: "a" }),
    selected("id,string", { id: 1, string: "a" }),
    selected("id,+string", { id: 1, string: "a" }),
    selected('["id","string"]', { id: 1, string: "a" }),
    selected("string,string", { string: "a" }),
    selected("created_at", { created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) }),
    refused("select_fields="),
    refused("select_fields=[]"),
    refused("select_fields=nothing"),
    refused("select_fields=id,,string"),
    refused("select_fields=*"),
    refused("select_fields=deleted_at"),
    refused('select_fields=["id"'),
    refused('select_fields=[["id"]]'),
    refused("select_fields=id&select_fields=string"),
    refused("search_term=x"),
  ]);
});

describe("soft-deleted rows", () => {
  const given = {
    notes: [
      { id: uuid, body: "here" },
      { id: owner, body: "gone", deleted_at: "2026-01-01T00:00:00Z" },
    ],
  };
  // biome-ignore format: many a line
  scenarios(
    service,
    [
      "", "deleted_at=2026-01-01", "deleted_at__is_not_null=1", "deleted_at__ne=x", "deleted_at__between=1", "deleted_at__nonsense=1",
      "deleted_at=1&deleted_at=2", "deleted_at=",
    ].map((filter) => ({ given, send: `GET /notes/fetch?select_fields=id&${filter}`, data: [{ id: uuid }] })),
  );
});

const given = {
  things: [
    { id: 1, string: "Café 100%", text: "blue", integer: 1 },
    { id: 2, string: "under_score", text: "BLUE whale", integer: 2 },
    { id: 3, string: "back\\slash", text: null, email: "blue@example.org", integer: 3 },
    { id: 5, integer: 5 },
    { id: 4, string: "under-score", text: "red", integer: 4 },
  ],
};

const searched = (query: string, ...ids: number[]): Scenario => ({
  given,
  send: `GET /things/search?select_fields=id&${query}`,
  data: ids.map((id) => ({ id })),
});

const refusedSearch = (query: string, field = query.split("=")[0]): Scenario => ({
  send: `GET /things/search?${query}`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

describe("search terms", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { ...searched("search_term=blue", 1, 2), name: "any searchable field, any case, anywhere; email is not searchable" },
    searched("search_term=HAL", 2),
    searched("search_term=caf%C3%89", 1),
    searched("search_term=%25", 1),
    searched("search_term=100%25", 1),
    searched("search_term=_", 2),
    searched("search_term=r_s", 2),
    searched("search_term=%5C", 3),
    searched("search_term=nothing"),
    searched("search_term=+blue"),
    searched("search_term='--"),
    { ...searched("", 1, 2, 3, 4, 5), name: "without a term it is a fetch" },
    refusedSearch("search_term="),
    searched(`search_term=${"b".repeat(256)}`),
    searched(`search_term=${encodeURIComponent("😀".repeat(256))}`),
    refusedSearch(`search_term=${"b".repeat(257)}`),
    refusedSearch(`search_term=${encodeURIComponent("é".repeat(257))}`),
    refusedSearch("search_term=a&search_term=b"),
  ]);
});

describe("search takes what fetch takes", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    searched("search_term=blue&integer__gt=1", 2),
    searched("search_term=score&order_by=integer&order=desc", 4, 2),
    searched("search_term=score&limit=1", 2),
    { ...searched("search_term=score&page=2&limit=1", 4), pagination: { limit: 1, page: 2, offset: 1, total: 2, total_pages: 2, has_more: false } },
    { ...searched("page=1&limit=3", 1, 2, 3), pagination: { limit: 3, page: 1, offset: 0, total: 5, total_pages: 2, has_more: true } },
    refusedSearch("limit=0"),
    refusedSearch("nothing=1"),
    { name: "no deleted_at filter finds soft-deleted rows",
      given: { tasks: [{ id: 1, title: "found" }, { id: 2, title: "found too", deleted_at: "2026-01-01" }] }, as: "admin",
      send: "GET /tasks/search?search_term=found&deleted_at__is_not_null=1&select_fields=id", data: [{ id: 1 }] },
  ]);
});

describe("who may search where", () => {
  const people = { people: [{ id: 1, name: "Ann", nick: "zed" }] };
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "rules of search, not of fetch",
      given: { tasks: [{ id: 1, title: "a", user: 7, status: "open" }, { id: 2, title: "b", user: 8, status: "done" },
          { id: 3, title: "c", user: 8, status: "open" }] }, as: { role: "user", sub: "7" }, send: "GET /tasks/search?select_fields=id",
      data: [{ id: 1 }, { id: 2 }] },
    { name: "no rule of search", as: "admin", send: "GET /pets/search", fails: "403 PERMISSION_DENIED" },
    { name: "no searchable field", as: "admin", send: "GET /docs/search?search_term=x", fails: "403 PERMISSION_DENIED" },
    { name: "no searchable field, no term", as: "admin", send: "GET /docs/search", fails: "403 PERMISSION_DENIED" },
    { name: "unreadable fields are not searched", given: people, send: "GET /people/search?search_term=zed", data: [] },
    { name: "readable ones are", given: people, as: "staff", send: "GET /people/search?search_term=ZED&select_fields=id", data: [{ id: 1 }] },
    { name: "none that the role may read", given: people, as: "stranger", send: "GET /people/search?search_term=ann",
      fails: "403 PERMISSION_DENIED" },
  ]);
});
