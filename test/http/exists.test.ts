import { describe } from "vitest";
import { scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const given = {
  tasks: [
    { id: 1, title: "a", user: 7 },
    { id: 2, title: "gone", user: 7, deleted_at: "2026-01-01" },
  ],
  docs: [{ id: 1, code: "a", author: 7 }],
};

const exists = (query: string, found: boolean) => ({
  given,
  as: "admin",
  send: `GET /tasks/exists?${query}`,
  data: { exists: found },
});
const refused = (query: string, field = query.split("=")[0]) => ({
  given,
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
    { ...refused("", "filter"), name: "a filter is required" },
    { ...refused("limit=1&select_fields=id", "filter"), name: "parameters are none" },
    { ...refused("deleted_at__is_null=1", "filter"), name: "nor is one on deleted_at, which is stripped" },
    refused("nothing=1"),
    refused("user=x"),
    refused("page=0&title=a", "page"),
  ]);
});

describe("for whom", () => {
  const caller = { role: "user", sub: "7" };
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "an entry of its own lets in", given, as: "staff", send: "GET /tasks/exists?id=1", data: { exists: true } },
    { name: "and shuts out those of fetch", given, as: caller, send: "GET /tasks/exists?id=1", fails: "403 PERMISSION_DENIED" },
    { name: "without an entry that of fetch", given, as: caller, send: "GET /docs/exists?id=1", data: { exists: true } },
    { name: "rows out of reach are not there", given, as: { role: "user", sub: "8" }, send: "GET /docs/exists?id=1", data: { exists: false } },
    { name: "an unreadable field as filter", send: "GET /people/exists?sealed__is_null=1", fails: "403 PERMISSION_DENIED sealed" },
  ]);
});
