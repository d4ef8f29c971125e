import { inspect } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import type { AnyHooks } from "#runtime/hooks/index";
import { createLog } from "#runtime/process/log";
import { call, type Reply, token } from "../support/model-service.ts";
import { allModels, startWorld } from "./support/models.ts";

type Given = Readonly<Record<string, unknown>>;

/** The hooks of `papers` in the current test. They can return any value. */
type Plays = { [Name in keyof AnyHooks]?: (value: Given) => unknown };
let plays: Plays = {};

const names = ["fetch", "search", "create", "update", "upsert", "delete", "destroy", "restore"] as const;
type Operation = (typeof names)[number];

/** Hooks whose types were cast away. */
const hooks: Record<string, unknown> = Object.fromEntries(
  names
    .flatMap((name) => [`before_${name}`, `after_${name}`] as const)
    .map((called) => [called, { [called]: (value: Given) => plays[called]?.(value) }[called]]),
);

type Call = readonly [operation: Operation, method: string, path: string, body?: object];

/** Requests over REST and GraphQL that succeed where no hook plays. Row 2 is live, row 3 is not. */
// biome-ignore format: one case a line
const requests: readonly Call[] = [
  ["fetch", "GET", "/papers/fetch?id=2"],
  ["fetch", "POST", "/graphql", { query: "{ papers(id: 2) { id } }" }],
  ["search", "GET", "/papers/search?search_term=b"],
  ["search", "POST", "/graphql", { query: '{ papers(search: "b") { id } }' }],
  ["create", "POST", "/papers/create", { data: { owner_id: 1, title: "new" } }],
  ["create", "POST", "/papers/create", { data: [{ owner_id: 1, title: "new" }] }],
  ["create", "POST", "/graphql", { query: 'mutation { createPapers(input: { owner_id: 1, title: "n" }) { id } }' }],
  ["update", "PUT", "/papers/update", { where: { id: 2 }, data: { title: "changed" } }],
  ["update", "PUT", "/papers/update", { data: [{ id: 2, title: "changed" }] }],
  ["update", "POST", "/graphql", { query: 'mutation { updatePapers(where: { id: 2 }, input: { title: "c" }) { id } }' }],
  ["upsert", "PUT", "/papers/upsert", { data: { owner_id: 1, title: "new", code: "2" } }],
  ["delete", "DELETE", "/papers/delete", { query: { id: 2 } }],
  ["delete", "DELETE", "/papers/delete", { ids: [2] }],
  ["destroy", "DELETE", "/papers/destroy", { query: { id: 2 } }],
  ["destroy", "POST", "/graphql", { query: "mutation { destroyPapers(ids: [2]) { id } }" }],
  ["restore", "PATCH", "/papers/restore", { where: { id: 3 }, data: { deleted_at: null } }],
];
const requestsOf = (...wanted: readonly Operation[]) => requests.filter(([name]) => wanted.includes(name));

interface Refusal {
  readonly statusCode: number;
  readonly error: string;
  readonly details?: { readonly failed_records?: readonly { readonly error: string }[] };
}

class Filter {
  title = "b2";
}
const circle: Record<string, unknown> = {};
circle["id"] = circle;

/** A list of two elements, with a hole between them. */
const withGap = (first: unknown, third: unknown) => Object.assign([first], { 2: third });

const noObjects: readonly unknown[] = [null, 7, "title", true, [], ["title"], () => ({}), Symbol("x"), 1n];
const notPlain: readonly unknown[] = [
  new Map([["title", "b2"]]),
  new Filter(),
  Object.create({ title: "b2" }),
  { title: "b2", [Symbol("x")]: 1 },
  Object.defineProperty({ title: "b2" }, "code", { value: "2", enumerable: false }),
];

describe("what hooks give back", async () => {
  let lines: string[] = [];
  const sink = { write: (text: string) => void lines.push(...text.trim().split("\n")) };

  const models = allModels.map((entry) => (entry.model.key === "papers" ? { ...entry, hooks } : entry));
  const world = await startWorld({ models, logger: createLog("hostile", "error", sink) });

  beforeEach(async () => {
    plays = {};
    await reset();
  });

  const reset = () =>
    world.db.query(`delete from papers; alter table papers alter id restart with 100;
      insert into papers (id, owner_id, title, code, secret, grade, pin, deleted_at)
      select n, 1, 'b' || n, n, 's' || n, n, null, case when n = 3 then timestamptz '2026-01-01' end
      from generate_series(1, 3) as n;`);

  const stored = () => world.db.query("select * from papers order by id");

  function send([, method, path, body]: Call): Promise<Reply> {
    return world.send({ method, path, token: token("admin"), ...(body !== undefined && { body }) });
  }

  /** `500 INTERNAL_ERROR`, of the request or of the one record of a bulk, for a reason that only the log has. */
  async function expectFault(request: Call, value: unknown, called: string): Promise<void> {
    lines = [];
    const { text } = await send(request);
    const shown = `${called} of ${request[2]} gave ${inspect(value)}: ${text}`;
    const { statusCode, error, details }: Refusal = JSON.parse(text);
    const [failed] = details?.failed_records ?? [];
    expect([failed === undefined ? statusCode : 500, failed?.error ?? error], shown).toEqual([
      500,
      "INTERNAL_ERROR",
    ]);
    expect(text, shown).not.toContain("the hook ");
    expect(lines.join("\n"), shown).toContain(`the hook ${called} returned`);
  }

  /** Nothing is written if the hooks of these operations return any of these values. */
  async function expectFaults(
    when: "before" | "after",
    operations: readonly Operation[],
    values: readonly unknown[],
    wrap: (value: unknown, given: Given) => unknown = (value) => value,
  ): Promise<void> {
    const before = await stored();
    for (const request of requestsOf(...operations)) {
      for (const value of values) {
        const called = `${when}_${request[0]}` as const;
        plays = { [called]: (given: Given) => wrap(value, given) };
        await expectFault(request, value, called);
      }
    }
    expect(await stored()).toEqual(before);
  }

  it("succeeds where hooks give back nothing", async () => {
    for (const request of requests) {
      expect((await send(request)).status, request[2]).toBe(200);
      await reset();
    }
  });

  const filtering = ["fetch", "search", "update", "delete", "destroy", "restore"] as const;
  // biome-ignore format: a list of values
  const wrongFilters: readonly unknown[] = [
    undefined, ...noObjects, ...notPlain, { pin: "x" }, { pin__ne: "x" }, { pin: null },
    { pin__is_null: true }, { pin__like: "x" }, { nothing: 1 }, { title__nothing: "x" },
    { title__is_null: false }, { title__is_not_null: "" }, { title: undefined }, { title: Object("b2") },
    { title: () => "b2" }, { title: Symbol("x") }, { title: { ne: "b2" } }, { title: "b2\0" },
    { title__like: "" }, { title__ilike: "a".repeat(257) }, { title__like: "\ud800" },
    { title__in: withGap("b2", "b3") }, { title__in: new Set(["b2"]) }, { title__between: ["a"] },
    { grade: 7 }, { owner_id: Number.NaN }, { owner_id__gt: null }, { created_at__lt: new Date() },
    { deleted_at: "never" }, { doc: {} }, { constructor: 1 }, JSON.parse('{"__proto__": 1}'),
  ];

  const wrap = (where: unknown, given: Given) => ({ ...given, ids: undefined, where });

  it.each(filtering)("a filter that is wrong, of before_%s", async (operation) => {
    await expectFaults("before", [operation], wrongFilters, wrap);
  });

  it.each(["update", "delete", "destroy", "restore"] as const)(
    "a filter of no row, of before_%s",
    async (operation) => {
      await expectFaults("before", [operation], [{}, { title__not_in: [] }], wrap);
    },
  );

  it("a query with an invalid key next to its filters", async () => {
    await expectFaults("before", ["fetch", "search"], [...noObjects, ...notPlain, {}]);
    // biome-ignore format: a list of values
    const queries = [
      { limit: 0 }, { limit: Number.NaN }, { limit: null }, { limit: 1.5 }, { page: 0 }, { page: "x" },
      { offset: -1 }, { order_by: "pin" }, { order_by: "doc" }, { order_by: "nothing" }, { order_by: null },
      { order: "up" }, { order: ["ASC"] }, { select_fields: ["pin"] }, { select_fields: ["nothing"] },
      { select_fields: [] }, { select_fields: new Set(["id"]) }, { select_fields: withGap("id", "title") },
      { ordre_by: "id" },
    ];
    const changed = (query: unknown, given: Given) => Object.assign({ ...given }, query);
    await expectFaults("before", ["fetch", "search"], queries, changed);
    await expectFaults("before", ["fetch"], [{ search_term: "b" }], changed);
    const terms = ["", 7, null, "a".repeat(257)];
    await expectFaults("before", ["search"], terms, (search_term, given) => ({ ...given, search_term }));
  });

  it("rows to remove that are none", async () => {
    // biome-ignore format: a list of values
    const wrong = [
      {}, { ids: [] }, { ids: "2" }, { ids: ["x"] }, { ids: [Number.NaN] }, { ids: withGap(2, 1) },
      { ids: new Set([2]) }, { where: { id: 2 }, ids: [2] }, { where: { id: 2 }, limit: 1 },
    ];
    await expectFaults("before", ["delete", "destroy"], [...noObjects, ...notPlain, ...wrong]);
  });

  it("changes and records that are none", async () => {
    // biome-ignore format: a list of values
    const records = [
      ...noObjects, ...notPlain, { doc: () => 1 }, { doc: [Symbol("x")] }, { doc: [undefined] },
      { doc: circle }, { doc: new Map([["a", 1]]) }, { doc: [Promise.resolve(1)] },
      { doc: { a: Number.NaN } },
    ];
    await expectFaults("before", ["update", "restore"], [...noObjects, ...notPlain, {}]);
    await expectFaults("before", ["update", "restore"], records, (data, given) => ({ ...given, data }));
    await expectFaults("before", ["update", "restore"], [1], (more, given) => ({ ...given, more }));
    await expectFaults("before", ["create", "upsert"], records);
  });

  it("only that record of a bulk fails", async () => {
    plays = { before_create: ({ title }) => (title === "bad" ? null : undefined) };
    const data = ["good", "bad"].map((title) => ({ owner_id: 1, title }));
    const { json } = await world.send(call("POST /papers/create", { data }, token("admin")));
    expect(json.data.inserted_count).toBe(1);
    expect(json.data.failed_records).toEqual([
      { index: 1, error: "INTERNAL_ERROR", message: "Something went wrong on our side." },
    ]);
  });

  it("takes what is right: gated fields, undefined for what is not there, the time of deletion", async () => {
    const outcomeOf = async (line: string, play: Plays, as = "clerk") => {
      plays = play;
      const [, method, path, body] = requests.find((one) => `${one[1]} ${one[2]}`.startsWith(line)) ?? [];
      return (await world.send(call(`${method} ${path}`, body, token(as)))).json.data;
    };
    const gated = { where: { secret: "s1" }, limit: undefined, select_fields: ["id"] };
    expect(await outcomeOf("GET /papers/fetch", { before_fetch: () => gated })).toEqual([{ id: 1 }]);
    const absent = { before_update: () => ({ where: { id: 1 }, data: { title: "t", code: undefined } }) };
    expect(await outcomeOf("PUT /papers/update", absent)).toEqual({ updated_count: 1, updated_ids: [1] });
    expect((await stored())[0]).toMatchObject({ title: "t", code: "1" });
    const since = (day: string) => ({
      before_restore: ({ data }: Given) => ({ where: { deleted_at__gte: day }, data }),
    });
    expect(await outcomeOf("PATCH /papers/restore", since("2026-02-01"))).toBeNull();
    expect(await outcomeOf("PATCH /papers/restore", since("2025-12-31"))).toEqual({
      restored_count: 1,
      restored_ids: [3],
    });
    const deleted = { before_fetch: () => ({ where: { deleted_at__is_not_null: true } }) };
    expect(await outcomeOf("GET /papers/fetch", deleted)).toEqual([]);
  });

  const wrongAnswers: readonly unknown[] = [
    ...noObjects.filter((value) => !Array.isArray(value)),
    { id: () => 1 },
    { id: [undefined] },
    { id: [Symbol("x")] },
    circle,
    new Map([["id", 1]]),
    new Date(0),
    Promise.resolve([{ id: 1 }]).then(() => new Set([1])),
    { id: Promise.resolve(1) },
    { id: new Map() },
    { id: Number.NaN },
  ];

  it.each(names)("after_%s: what is of another kind, or has no JSON", async (operation) => {
    const isList = operation === "fetch" || operation === "search";
    const values = isList
      ? [
          {},
          ...noObjects.filter((value) => !Array.isArray(value)),
          [1],
          [null],
          [undefined],
          ...wrongAnswers.map((value) => [value]),
        ]
      : [[], [{}], ...wrongAnswers];
    await expectFaults("after", [operation], values);
  });

  it("an answer may hold what JSON knows how to write", async () => {
    plays = { after_create: () => ({ at: new Date(0), none: undefined, ratio: 0.5 }) };
    const body = { data: { owner_id: 1, title: "new" } };
    const { json } = await world.send(call("POST /papers/create", body, token("admin")));
    expect(json.data).toEqual({ at: "1970-01-01T00:00:00.000Z", ratio: 0.5 });
  });
});
