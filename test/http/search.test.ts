import { describe } from "vitest";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

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

const refused = (query: string, field = query.split("=")[0]): Scenario => ({
  send: `GET /things/search?${query}`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

describe("search terms", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    { ...searched("search_term=blue", 1, 2), name: "any searchable field, any case, anywhere; email is none" },
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
    refused("search_term="),
    searched(`search_term=${"b".repeat(256)}`),
    searched(`search_term=${encodeURIComponent("😀".repeat(256))}`),
    refused(`search_term=${"b".repeat(257)}`),
    refused(`search_term=${encodeURIComponent("é".repeat(257))}`),
    refused("search_term=a&search_term=b"),
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
    refused("limit=0"),
    refused("nothing=1"),
    { name: "soft-deleted rows are not found, whatever deleted_at filter is sent",
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
