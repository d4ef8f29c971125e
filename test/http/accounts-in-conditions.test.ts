import { describe } from "vitest";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

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
    { name: "one's own", given, as: { role: "user", sub: "2" }, send: "GET /letters/fetch?select_fields=id", data: [{ id: 12 }] },
    write(1, { name: "written for oneself", rows: { letters: [{ author_id: 1 }] } }),
    write(2, { name: "written for somebody else", fails: "403 PERMISSION_DENIED", rows: { letters: [] } }),
    write(2,
      { name: "written by an account that is not active", as: { role: "user", sub: "2" }, fails: "403 PERMISSION_DENIED", rows: { letters: [] } }),
    { name: "accounts have no model routes", given, as: "admin", send: "GET /users/fetch", fails: "404 NOT_FOUND" },
  ]);
});
