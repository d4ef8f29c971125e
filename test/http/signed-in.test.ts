import { describe, expect, test } from "vitest";
import { account, accounts, apiKey } from "../support/accounts.ts";
import { dataOf, type GraphqlScenario, graphqlScenarios } from "../support/graphql.ts";
import { requestOf } from "../support/request.ts";
import { outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { type Rows, testService } from "../support/service.ts";
import { type Caller, tokenOf } from "../support/service-token.ts";

const service = await testService({ auth: { cookieName: "session" } });

/** A credential that says what a caller without one is. */
const namedGuest = { role: "guest", sub: "7" };
/** A role that no rule names. */
const other = { role: "unnamed", sub: "7" };
const key = apiKey(7);
const notices: Rows[string] = [
  { id: 1, title: "open", public: true, user: 8, inner: "i1", guest_note: "d1" },
  { id: 2, title: "own reply", user: 7, inner: "i2", guest_note: "d2", parent_id: 1 },
  { id: 3, title: "other reply", user: 8, inner: "i3", guest_note: "d3", parent_id: 1 },
];
const given = { ...accounts([account(7, { role: "unnamed" })], [key.row]), notices };
const denied = "403 PERMISSION_DENIED";

const asked = (
  as: Caller,
  send: string,
  expected: Partial<Scenario> | readonly number[],
  name = "",
): Scenario => ({
  name: `${send} ${name || whoIs(as)}`,
  given,
  as,
  send,
  ...(Array.isArray(expected) ? { data: expected.map((id) => ({ id })) } : expected),
});
const whoIs = (as: Caller) => (as === null ? "as a guest" : `as ${typeof as === "string" ? as : as.role}`);

describe("a rule for signed_in", () => {
  const fetched = "GET /notices/fetch?select_fields=id";
  const searched = "GET /notices/search?search_term=e&select_fields=id";
  // biome-ignore format: one case a line
  scenarios(service, [
    asked(null, fetched, [1]),
    asked(namedGuest, fetched, [1, 2]),
    asked(other, fetched, [1, 2]),
    asked("staff", fetched, [1, 2, 3]),
    asked(null, searched, [1]),
    asked(namedGuest, searched, [1, 2, 3]),
    asked(other, searched, [1, 2, 3]),
    asked(null, "GET /notices/count", { data: { count: 1 } }),
    asked(namedGuest, "GET /notices/count", { data: { count: 2 } }),
    asked(null, "GET /notices/exists?id=2", { data: { exists: false } }),
    asked(other, "GET /notices/exists?id=2", { data: { exists: true } }),
    { ...asked(null, fetched, [1, 2], "with an API key"), headers: { "x-api-key": key.key } },
    { ...asked(null, fetched, [1, 2], "with a cookie"), headers: { cookie: `session=${tokenOf(namedGuest)}` } },
  ]);
});

describe("what writes is let in by a rule for signed_in", () => {
  const write = (
    as: Caller,
    send: string,
    body: Scenario["body"],
    expected: Partial<Scenario>,
  ): Scenario => ({ ...asked(as, send, expected), body });
  const create = { data: { title: "new", user: 7 } };
  const update = { where: { id: 2 }, data: { title: "changed" } };
  const upsert = { data: { title: "own reply", user: 7, inner: "changed" } };
  const remove = { ids: [2] };
  const unchanged = { fails: denied, rows: { notices } };
  const all = [
    ["POST /notices/create", create],
    ["PUT /notices/update", update],
    ["PUT /notices/upsert", upsert],
    ["DELETE /notices/destroy", remove],
  ] as const;
  scenarios(service, [
    ...all.map(([send, body]) => write(null, send, body, unchanged)),
    ...all.flatMap(([send, body]) => [namedGuest, other].map((as) => write(as, send, body, {}))),
    write(other, "POST /notices/create", { data: { title: "new", user: 8 } }, unchanged),
    write(other, "PUT /notices/update", { where: { id: 3 }, data: { title: "x" } }, unchanged),
    write(other, "DELETE /notices/destroy", { ids: [3] }, unchanged),
  ]);
});

describe("a field gate for signed_in", () => {
  const inner = "GET /notices/fetch?select_fields=inner&id=1";
  const guest_note = "GET /notices/fetch?select_fields=guest_note&id=1";
  const write = (as: Caller, data: object, expected: Partial<Scenario>): Scenario => ({
    ...asked(as, "PUT /notices/update", expected, `${Object.keys(data).join()} ${whoIs(as)}`),
    body: JSON.stringify({ where: { id: 2 }, data }),
    headers: { "content-type": "application/json" },
  });
  scenarios(service, [
    asked(null, inner, { fails: `${denied} inner` }),
    asked(null, "GET /notices/fetch?select_fields=id&inner=i1", { fails: `${denied} inner` }),
    asked(namedGuest, inner, { data: [{ inner: "i1" }] }),
    asked(other, inner, { data: [{ inner: "i1" }] }),
    asked(null, guest_note, { data: [{ guest_note: "d1" }] }),
    asked(namedGuest, guest_note, { data: [{ guest_note: "d1" }] }),
    asked(other, guest_note, { fails: `${denied} guest_note` }),
    asked("staff", inner, { data: [{ inner: "i1" }] }),
    write(namedGuest, { inner: "new" }, {}),
    write("staff", { inner: "new" }, {}),
    write(other, { guest_note: "new" }, { fails: `${denied} guest_note` }),
  ]);

  test.each([
    [null, ["id", "title", "user", "public", "guest_note", "parent_id", "created_at", "updated_at"]],
    [
      namedGuest,
      ["id", "title", "user", "public", "inner", "guest_note", "parent_id", "created_at", "updated_at"],
    ],
    [other, ["id", "title", "user", "public", "inner", "parent_id", "created_at", "updated_at"]],
  ])("an answer has the fields that %j reads", async (as, fields) => {
    await service.store(given);
    const { envelope } = await service.send({ method: "GET", path: "/notices/fetch?id=1" }, as);
    const [row] = Array.isArray(envelope.data) ? envelope.data : [];
    expect(Object.keys(row ?? {})).toEqual(fields);
  });
});

describe("in GraphQL", () => {
  const query = (as: Caller, text: string, expected: Partial<GraphqlScenario>): GraphqlScenario => ({
    name: `${text} ${whoIs(as)}`,
    given,
    as,
    query: text,
    ...expected,
  });
  const joined = "{ notices(id: 1) { replies { id } } }";
  const counted = "{ notices_aggregate { count } }";
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    query(null, joined, { data: { notices: [{ replies: [] }] } }),
    query(namedGuest, joined, { data: { notices: [{ replies: [{ id: 2 }] }] } }),
    query(other, joined, { data: { notices: [{ replies: [{ id: 2 }] }] } }),
    query("staff", joined, { data: { notices: [{ replies: [{ id: 2 }, { id: 3 }] }] } }),
    query(null, counted, { data: { notices_aggregate: [{ count: 1 }] } }),
    query(namedGuest, counted, { data: { notices_aggregate: [{ count: 3 }] } }),
    query(null, "{ notices { inner } }", { fails: `${denied} inner` }),
    query(null, '{ notices(inner: "i1") { id } }', { fails: `${denied} inner` }),
    query(null, "{ notices { replies { inner } } }", { fails: `${denied} inner` }),
    query(namedGuest, "{ notices { replies { inner } } }", {}),
    query(null, 'mutation { createNotices(input: { title: "n", user: 7 }) { id } }', { fails: `${denied} createNotices` }),
    query(namedGuest, 'mutation { createNotices(input: { title: "n", user: 7 }) { title inner } }',
      { data: { createNotices: { title: "n", inner: null } } }),
  ]);
});

describe("what is remembered for one caller is not for another", () => {
  const callers: readonly (readonly [Caller, readonly number[]])[] = [
    [null, [1]],
    [namedGuest, [1, 2]],
    [other, [1, 2]],
    ["staff", [1, 2, 3]],
  ];
  /** Each caller before and after each other one. */
  const turns = callers.flatMap((first) => callers.flatMap((second) => [first, second]));

  test("of plans, grants and views", async () => {
    await service.store(given);
    for (const [as, ids] of turns) {
      const { envelope } = await service.send({ method: "GET", path: "/notices/fetch?order_by=id" }, as);
      const rows = Array.isArray(envelope.data) ? envelope.data : [];
      expect(rows.map((row) => row["id"])).toEqual(ids);
      expect(rows.every((row) => Object.hasOwn(row, "inner") === (as !== null))).toBe(true);
    }
  });

  test("of GraphQL's documents, plans and readers", async () => {
    await service.store(given);
    for (const [as, ids] of turns) {
      const data = await dataOf(service, "{ notices(id: 1) { id replies { id } } }", as);
      const replies = ids.filter((id) => id !== 1).map((id) => ({ id }));
      expect(data).toEqual({ notices: [{ id: 1, replies }] });
      const gated = await service.send(requestOf("POST /graphql", { query: "{ notices { id inner } }" }), as);
      expect(outcome(gated)).toBe(as === null ? `${denied} inner` : "200");
    }
  });
});

describe("a rule name for several roles is not a role", () => {
  const roles = ["signed_in", "*"];
  scenarios(service, [
    ...roles.flatMap((role) =>
      ["GET /notices/fetch", "GET /auth/me", "GET /admin/rate-limits"].map((send) => ({
        name: `${send} with a token of the role ${role}`,
        given,
        send,
        as: { role, sub: "7" },
        fails: "401 INVALID_TOKEN",
      })),
    ),
    ...roles.map((role) => ({
      name: `in a cookie, with the role ${role}`,
      given,
      send: "GET /notices/fetch",
      headers: { cookie: `session=${tokenOf({ role, sub: "7" })}` },
      fails: "401 INVALID_TOKEN",
    })),
    ...roles.map((role) => ({
      name: `with an API key of an account that SQL gave the role ${role}`,
      given: { ...accounts([account(7, { role })], [key.row]), notices },
      send: "GET /notices/fetch",
      headers: { "x-api-key": key.key },
      fails: "401 INVALID_API_KEY",
    })),
  ]);

  test.each(roles)("GraphQL refuses %s too", async (role) => {
    const body = { query: "{ notices { id } }" };
    const reply = await service.send({ method: "POST", path: "/graphql", body }, { role });
    expect(outcome(reply)).toBe("401 INVALID_TOKEN");
  });
});
