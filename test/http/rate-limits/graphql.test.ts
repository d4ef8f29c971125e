import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineLimits, PostgresWindow, RedisWindow } from "#runtime/modules/rate-limit/index";
import { sendGraphql, type Variables } from "../../support/graphql.ts";
import { limitedServices } from "../../support/limited-service.ts";
import { firedHooks, outcome } from "../../support/scenarios.ts";
import type { Caller } from "../../support/service-token.ts";
import { stage } from "../fixture/stage.ts";

const services = await limitedServices(
  {},
  {
    things: defineLimits({
      fetch: { maxRequests: 4, windowSeconds: 60, per: "ip" },
      search: { maxRequests: 5, windowSeconds: 120, per: "model" },
      create: "off",
    }),
    tasks: defineLimits({ fetch: { maxRequests: 2, windowSeconds: 90, per: "user" } }),
  },
);

/** A document, and what it is counted as. */
interface Counted {
  readonly query: string;
  readonly variables?: Variables;
  readonly as?: Caller;
  readonly keys: Readonly<Record<string, number>>;
  /** Default success. */
  readonly answers?: string;
}

const fetch = "crud:things:fetch:ip:127.0.0.1";
const search = "crud:things:search";
const folders = (operation: string) => `crud:folders:${operation}:ip:127.0.0.1`;
const exceeded = "429 RATE_LIMIT_EXCEEDED";

// biome-ignore format: one case a line
const documents: readonly Counted[] = [
  { query: "{ things { id } }", keys: { [fetch]: 1 } },
  { query: "{ a: things { id } b: things { id } c: things { id } }", keys: { [fetch]: 3 } },
  { query: "{ things { id } things { string } }", keys: { [fetch]: 1 } },
  { query: "{ ...f } fragment f on Query { things { id } ... { b: things { id } } }", keys: { [fetch]: 2 } },
  { query: "{ __typename things { id __typename } }", keys: { [fetch]: 1 } },
  { query: "{ __typename }", keys: {} },
  { query: "{ things { twin_id { id } } }", keys: { [fetch]: 1 } },
  { query: '{ things(search: "x") { id } }', keys: { [search]: 1 } },
  { query: '{ things(search: "") { id } }', keys: { [search]: 1 }, answers: "400 VALIDATION_ERROR search" },
  { query: "{ things(search: 1) { id } }", keys: { [search]: 1 }, answers: "400 VALIDATION_ERROR search" },
  { query: "{ things(search: null) { id } }", keys: { [fetch]: 1 } },
  { query: "query ($s: String) { things(search: $s) { id } }", keys: { [fetch]: 1 } },
  { query: "query ($s: String) { things(search: $s) { id } }", variables: { s: null }, keys: { [fetch]: 1 } },
  { query: "query ($s: String) { things(search: $s) { id } }", variables: { s: "x" }, keys: { [search]: 1 } },
  { query: 'query ($s: String = "x") { things(search: $s) { id } }', keys: { [search]: 1 } },
  { query: 'query ($s: String = "x") { things(search: $s) { id } }', variables: { s: null }, keys: { [fetch]: 1 } },
  { query: "query ($s: String) { things(search: [$s]) { id } }", variables: { s: null }, keys: { [search]: 1 },
    answers: "400 VALIDATION_ERROR search" },
  { query: "{ things_aggregate { count } }", keys: { [search]: 1 } },
  { query: '{ a: things_aggregate(search: "x") { count } things(search: "x") { id } things_aggregate { count } }', keys: { [search]: 3 } },
  { query: "{ things { id } folders { children { id } } }", keys: { [fetch]: 1, [folders("fetch")]: 1 } },
  { query: "{ things { id } folders @skip(if: true) { id } }", keys: { [fetch]: 1 } },
  { query: "{ things { id } ... @include(if: false) { folders { id } } }", keys: { [fetch]: 1 } },
  { query: "query ($yes: Boolean!) { things @include(if: $yes) { id } folders @skip(if: $yes) { id } }", variables: { yes: false },
    keys: { [folders("fetch")]: 1 } },
  { query: "{ tasks { id } }", as: "user", keys: { "crud:tasks:fetch:user:1": 1 } },
  { query: "{ tasks { id } }", as: { role: "user", sub: "7" }, keys: { "crud:tasks:fetch:user:7": 1 } },
  { query: "{ tasks { id } }", keys: { "crud:tasks:fetch:user:anon:127.0.0.1": 1 }, answers: "403 PERMISSION_DENIED tasks" },
  { query: 'mutation { createThings(input: { string: "a" }) { id } }', as: "admin", keys: {} },
  {
    query: 'mutation { createFolders(input: { name: "a" }) { id } updateFolders(where: { name: "a" }, input: { size: 1 }) { id } upsertFolders(input: { name: "a" }) { id } deleteFolders(where: { name: "a" }) { id } }',
    as: "admin",
    keys: Object.fromEntries(["create", "update", "upsert", "delete"].map((operation) => [folders(operation), 1])),
  },
  { query: 'mutation { destroyFolders(where: { name: "a" }) { id } }', as: "admin", keys: { [folders("destroy")]: 1 }, answers: "404 NOT_FOUND" },
  { query: "mutation { restoreTasks(where: { id: 1 }, input: { deleted_at: null }) { id } __typename }", as: "admin",
    keys: { "crud:tasks:restore:ip:127.0.0.1": 1 }, answers: "404 NOT_FOUND" },
  // Counted, though access or arguments are refused then.
  { query: "mutation { createFolders(input: {}) { id } }", keys: { [folders("create")]: 1 }, answers: "403 PERMISSION_DENIED createFolders" },
  { query: "{ things(nothing: 1) { id } }", keys: { [fetch]: 1 }, answers: "400 VALIDATION_ERROR nothing" },
  { query: "{ things { nothing } }", keys: { [fetch]: 1 }, answers: "400 VALIDATION_ERROR nothing" },
  // Not a request for a model yet.
  { query: "{ things { id } nothing { id } }", keys: {}, answers: "404 NOT_FOUND nothing" },
  { query: "{ things { id } vaults { id } }", keys: {}, answers: "404 NOT_FOUND vaults" },
  { query: "{ things { id }", keys: {}, answers: "400 VALIDATION_ERROR query" },
  { query: "{ things { id } __schema { types { name } } }", keys: {}, answers: "403 PERMISSION_DENIED" },
  { query: "mutation { grabThings { id } }", keys: {}, answers: "400 VALIDATION_ERROR grabThings" },
  { query: "mutation { restoreThings { id } }", as: "admin", keys: {}, answers: "404 NOT_FOUND" },
  { query: "query ($s: String!) { things(search: $s) { id } }", keys: {}, answers: "400 VALIDATION_ERROR s" },
  { query: `{ ${Array.from({ length: 21 }, (_, at) => `a${at}: things { id }`).join(" ")} }`, keys: {}, answers: "400 VALIDATION_ERROR query" },
];

const headers = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

describe.each(services)("$counters", (service) => {
  const { clock, counted, sent, forget } = service;
  const send = (query: string, as: Caller = null, variables?: Variables) =>
    sendGraphql(service, query, as, variables);

  beforeEach(async () => {
    await service.store({});
    await forget();
    Object.assign(stage, { hooks: {}, fired: [] });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    Object.assign(stage, { hooks: {}, fired: [] });
  });

  test.each(documents.map((one) => [`${one.query} ${JSON.stringify(one.variables ?? {})}`, one] as const))(
    "%s",
    async (_, { query, as = null, variables, keys, answers = "200" }) => {
      const reply = await send(query, as, variables);
      expect(outcome(reply), reply.text).toBe(answers);
      expect(await counted()).toEqual(keys);
      for (const name of headers) expect(reply.headers).not.toHaveProperty(name);
    },
  );

  test("as many as the limit says pass in one document, and not one more", async () => {
    const four = "a: things { id } b: things { id } c: things { id } d: things { id }";
    expect(outcome(await send(`{ ${four} }`))).toBe("200");
    expect(outcome(await send("{ things { id } }"))).toBe(exceeded);
    await forget();
    expect(outcome(await send(`{ ${four} e: things { id } }`))).toBe(exceeded);
    // They were counted as far as they fit, although nothing ran.
    expect(await counted()).toEqual({ [fetch]: 4 });
    expect(outcome(await send("{ things { id } }"))).toBe(exceeded);
  });

  test("one root field beyond its limit refuses the document; nothing runs, and all were counted", async () => {
    for (let times = 0; times < 3; times++)
      expect(
        outcome(
          await send('mutation { updateFolders(where: { name: "x" }, input: { size: 1 }) { id } }', "admin"),
        ),
      ).toBe("404 NOT_FOUND");
    const before = sent();
    stage.fired = [];
    const query =
      'mutation { createFolders(input: { name: "b" }) { id } updateFolders(where: { name: "b" }, input: { size: 1 }) { id } createHooked(input: { name: "c", code: "c" }) { id } }';
    const reply = await send(query, "admin");
    expect(outcome(reply)).toBe(exceeded);
    expect(reply.envelope).toMatchObject({
      message: expect.stringMatching(/^Too many requests\. Try again in 60 seconds\./),
      data: null,
    });
    expect(sent()).toEqual(before);
    expect(firedHooks()).toEqual(["before_graphql"]);
    expect(await counted()).toEqual({
      [folders("create")]: 1,
      [folders("update")]: 3,
      "crud:hooked:create:ip:127.0.0.1": 1,
    });
  });

  test("Retry-After is the longest of those that exceed", async () => {
    const query = '{ a: things { id } b: things(search: "x") { id } tasks { id } folders { id } }';
    const start = clock.now();
    for (let times = 0; times < 2; times++) expect(outcome(await send(query, "user"))).toBe("200");
    clock.pass(10);
    const third = await send(query, "user");
    expect(outcome(third)).toBe(exceeded);
    expect(third.headers["retry-after"]).toBe("80");
    expect(third.envelope.message).toMatch(/^Too many requests\. Try again in 80 seconds\./);
    for (let times = 0; times < 2; times++) await send(query, "user");
    // By now the folders and the search exceed their limits, too.
    clock.pass(5.001);
    const sixth = await send(query, "user");
    expect(sixth.headers["retry-after"]).toBe(String(Math.ceil((start + 120_000 - clock.now()) / 1000)));
    for (const name of headers) expect(sixth.headers).not.toHaveProperty(name);
  });

  test("one call to the store for a document", async () => {
    const calls = [vi.spyOn(PostgresWindow.prototype, "count"), vi.spyOn(RedisWindow.prototype, "count")].map(
      ({ mock }) => mock.calls,
    );
    await send(
      '{ a: things { id } b: things { id } c: folders { id } d: things(search: "x") { id } things_aggregate { count } }',
    );
    expect(calls.flat()).toHaveLength(1);
    expect(calls.flat()[0]?.[0].map(({ key, requests }) => [key, requests])).toEqual([
      [fetch, 2],
      [folders("fetch"), 1],
      [search, 2],
    ]);
    await send("{ __typename }");
    expect(calls.flat()).toHaveLength(1);
  });

  test("429 comes before 403 and 400 of any root field", async () => {
    for (let times = 0; times < 3; times++) await send("{ folders { id } }");
    for (const other of ["tasks { id }", "things(nothing: 1) { id }", "things { nothing }"])
      expect(outcome(await send(`{ ${other} folders { id } }`))).toBe(exceeded);
    expect(outcome(await send("{ nothing { id } folders { id } }"))).toBe("404 NOT_FOUND nothing");
    expect(outcome(await send("{ folders { id } "))).toBe("400 VALIDATION_ERROR query");
  });

  test("a credential that is not valid counts nothing", async () => {
    const reply = await service.send({
      method: "POST",
      path: "/graphql",
      headers: { authorization: "Bearer x" },
      body: { query: "{ things { id } }" },
    });
    expect(outcome(reply)).toBe("401 INVALID_TOKEN");
    expect(await counted()).toEqual({});
  });

  test("REST and GraphQL share their counters", async () => {
    const rest = (path: string) => service.send({ method: "GET", path });
    await rest("/things/fetch");
    await send("{ a: things { id } b: things { id } }");
    expect((await rest("/things/fetch")).headers["x-ratelimit-remaining"]).toBe("0");
    expect(outcome(await send("{ things { id } }"))).toBe(exceeded);
    expect(outcome(await rest("/things/fetch"))).toBe(exceeded);
    await send("{ things_aggregate { count } }");
    expect((await rest("/things/search?search_term=x")).headers["x-ratelimit-remaining"]).toBe("3");
    expect(await counted()).toEqual({ [fetch]: 4, [search]: 2 });
  });

  test("the document that before_graphql returns is the one that is counted", async () => {
    stage.hooks = { before_graphql: ({ variables }) => ({ query: "{ folders { id } }", variables }) };
    await send("{ things { id } }");
    expect(await counted()).toEqual({ [folders("fetch")]: 1 });
  });

  test("no hook of a model, nor after_graphql, runs for what is refused", async () => {
    const query = '{ a: hooked { id } b: hooked(search: "x") { id } }';
    for (let times = 0; times < 3; times++) expect(outcome(await send(query))).toBe("200");
    stage.fired = [];
    expect(outcome(await send(query))).toBe(exceeded);
    expect(firedHooks()).toEqual(["before_graphql"]);
  });
});
