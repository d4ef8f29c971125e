import { describe } from "vitest";
import { scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

// biome-ignore format: several rows a line
const given = {
  tasks: [{ id: 1, title: "a", user: 7, status: "open" }, { id: 2, title: "b", user: 7, status: "done" },
    { id: 3, title: "c", user: 8, status: "open" }, { id: 4, title: "d", user: 8, status: "open", deleted_at: "2026-01-01" }],
  docs: [{ id: 1, code: "a", author: 7 }, { id: 2, code: "b", author: 8 }],
};

const count = (query: string, found: number) => ({
  given,
  as: "admin",
  send: `GET /tasks/count${query}`,
  data: { count: found },
});
const refused = (query: string, field = query.split("=")[0]) => ({
  as: "admin",
  send: `GET /tasks/count?${query}`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

describe("what is counted", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { ...count("", 3), name: "all live rows, without any filter" },
    count("?status=open", 2),
    count("?status=open&user=7", 1),
    count("?title=nothing", 0),
    count("?deleted_at__is_not_null=1", 3),
    count("?deleted_at=x&status=done", 1),
    { ...count("?limit=1&page=2&offset=1&order_by=title&order=DESC&select_fields=id", 3), name: "paging, order and selection have no effect" },
    { name: "no row at all", as: "admin", send: "GET /tasks/count", data: { count: 0 } },
    refused("limit=0"), refused("order_by=nothing"), refused("search_term=x"), refused("nothing=1"), refused("user=x"),
  ]);
});

describe("who counts what", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "an entry of its own, with a condition", given, as: "staff", send: "GET /tasks/count", data: { count: 2 } },
    { name: "the entry of fetch does not help where there is one for count", given, as: { role: "user", sub: "7" }, send: "GET /tasks/count",
      fails: "403 PERMISSION_DENIED" },
    { name: "without an entry that of fetch", given, as: { role: "user", sub: "7" }, send: "GET /docs/count", data: { count: 1 } },
    { name: "which may deny", given, send: "GET /docs/count", fails: "403 PERMISSION_DENIED" },
    { name: "an unreadable field as filter", send: "GET /people/count?salary__gt=1", fails: "403 PERMISSION_DENIED salary" },
    { name: "a field that the role may read", as: "staff", send: "GET /people/count?salary__gt=1", data: { count: 0 } },
  ]);
});

// biome-ignore format: several rows a line
const two = {
  tasks: [{ id: 1, title: "a", user: 7 }, { id: 2, title: "gone", user: 7, deleted_at: "2026-01-01" }],
  docs: [{ id: 1, code: "a", author: 7 }],
};

const exists = (query: string, found: boolean) => ({
  given: two,
  as: "admin",
  send: `GET /tasks/exists?${query}`,
  data: { exists: found },
});
const unknown = (query: string, field = query.split("=")[0]) => ({
  given: two,
  as: "admin",
  send: `GET /tasks/exists?${query}`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

describe("whether there is a row", () => {
  scenarios(service, [
    exists("title=a", true),
    exists("title=b", false),
    exists("title=gone", false),
    exists("title=a&user=8", false),
    exists("title__in=[]", false),
    exists("title=a&limit=1&page=3&offset=9&order_by=id&order=desc&select_fields=title", true),
    { ...unknown("", "filter"), name: "a filter is required" },
    { ...unknown("limit=1&select_fields=id", "filter"), name: "parameters are none" },
    { ...unknown("deleted_at__is_null=1", "filter"), name: "nor is one on deleted_at, which is stripped" },
    unknown("nothing=1"),
    unknown("user=x"),
    unknown("page=0&title=a", "page"),
  ]);
});

describe("for whom", () => {
  const caller = { role: "user", sub: "7" };
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "an entry of its own lets in", given: two, as: "staff", send: "GET /tasks/exists?id=1", data: { exists: true } },
    { name: "and shuts out those of fetch", given: two, as: caller, send: "GET /tasks/exists?id=1", fails: "403 PERMISSION_DENIED" },
    { name: "without an entry that of fetch", given: two, as: caller, send: "GET /docs/exists?id=1", data: { exists: true } },
    { name: "rows out of reach are not there", given: two, as: { role: "user", sub: "8" }, send: "GET /docs/exists?id=1", data: { exists: false } },
    { name: "an unreadable field as filter", send: "GET /people/exists?sealed__is_null=1", fails: "403 PERMISSION_DENIED sealed" },
  ]);
});
