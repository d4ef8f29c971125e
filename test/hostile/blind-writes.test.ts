import { beforeEach, describe, expect, it } from "vitest";
import type { AnyHooks } from "#runtime/hooks/index";
import { and, caller, eq, or } from "#runtime/models/access/index";
import type { Json } from "#vocabulary/json";
import { type Asked, overGraphql, overRest } from "../support/graphql-both-ways.ts";
import {
  call,
  model,
  modelService,
  mounted,
  policyOf,
  type Request,
  rulesFor,
  token,
} from "../support/model-service.ts";

const notes = model(
  "notes",
  { owner_id: "bigint", body: "text", shared: { kind: "boolean", default: false }, stars: "integer?" },
  { softDelete: true },
);

const mine = eq("owner_id", caller.user_id);
const shared = eq("shared", true);
const fetched = { user: or(mine, shared), admin: true } as const;
const written = { user: mine, clerk: shared, publisher: and(mine, shared), admin: true } as const;

const notePolicy = policyOf({
  ...rulesFor("fetch search count exists", fetched),
  ...rulesFor("update delete destroy restore", written),
  create: { user: mine },
});

const vouchers = model(
  "vouchers",
  { shop: "string?", code: "string?", serial: "integer?", note: "string?" },
  { unique: [["code"], ["shop", "serial"]] },
);

const voucherPolicy = policyOf({
  ...rulesFor("fetch count exists create update", { "*": true }),
  upsert: "as create and update",
  fields: {
    code: { read: ["admin", "cashier"] },
    serial: { read: ["admin"] },
    id: { read: ["admin", "user"] },
  },
});

let hooks: AnyHooks = {};
const played: AnyHooks = {
  before_update: (...given) => hooks.before_update?.(...given),
  before_fetch: (...given) => hooks.before_fetch?.(...given),
};

const world = await modelService(
  [mounted(notes, notePolicy, played), mounted(vouchers, voucherPolicy, played)],
  {
    bulkLimit: 3,
  },
);

beforeEach(() => {
  hooks = {};
});

/** The ways to ask for one operation. */
type Way = "REST" | "GraphQL";

/** One operation as a request, over one of both ways. */
function requestOf(way: Way, asked: Asked, selection: string): Request {
  if (way === "GraphQL") return call("POST /graphql", overGraphql(asked, selection));
  const { method, path, body } = overRest(asked);
  return { method, path, body };
}

const user = token("user", "1");

type Run = "update" | "delete" | "destroy" | "restore";
type Where = { readonly [field: string]: Json };

describe("a filter of a write tells nothing about rows that the caller cannot fetch", () => {
  beforeEach(async () => {
    await world.db.query(`truncate notes restart identity;
      insert into notes (id, owner_id, body, shared, stars) values (1, 1, 'mine', false, 1),
        (2, 2, 'public', true, 3), (3, 1, 'mine too', true, 4), (4, 2, 'alice earns 9%', false, null);
      insert into notes (id, owner_id, body, shared, stars, deleted_at)
        select id + 10, owner_id, body, shared, stars, now() from notes;
      alter table notes alter id restart with 20`);
  });

  const ids = { mine: 1, shared: 2, mineToo: 3, hidden: 4 };
  const stored = () =>
    world.db.query("select id::int, owner_id::int, body, shared, deleted_at from notes order by id");

  /** The ids of rows that a write finds, or status and error, over both ways. */
  async function written(way: Way, run: Run, where: Where, as: string): Promise<unknown> {
    const data = run === "update" ? { stars: 9 } : run === "restore" ? { deleted_at: null } : undefined;
    const asked = { model: "notes", run, where, ...(data !== undefined && { data }) };
    const { status, json } = await world.send({ ...requestOf(way, asked, "id"), token: as });
    if (status !== 200) return `${status} ${json.error}`;
    const found: { answer?: { id: number }[] } & Record<string, unknown> = Object(json.data);
    const list = found.answer?.map(({ id }) => id) ?? Object.values(found).find(Array.isArray) ?? [];
    return [...new Set(list.map((id: number) => id % 10))];
  }

  const runs: readonly Run[] = ["update", "delete", "destroy", "restore"];
  const cases = runs.flatMap((run) => (["REST", "GraphQL"] as const).map((way) => [run, way] as const));
  const shift = (run: Run) => (run === "restore" ? 10 : 0);

  /** Filters that match only the hidden row, and one that matches none. */
  const guesses = (id: number, way: Way): Where[] => [
    ...["alice earns 9%", { like: "alice earns 9" }, { ilike: "ALICE%" }].map((body) => ({ body })),
    ...[{ in: ["alice earns 9%"] }, { nin: ["mine", "public", "mine too"] }, { lt: "b" }].map((body) => ({
      body,
    })),
    ...[{ is_null: true }, null].map((stars) => ({ stars })),
    ...[
      { owner_id: 2, shared: false },
      { id, body: { like: "alice" } },
      { id: { in: [id] }, shared: false },
    ],
    ...[{ id: { gte: id, lte: id } }, { body: { like: "bob" } }],
    ...(way === "REST" ? [{ body: { between: ["al", "am"] } }, { id: { between: [id, id] } }] : []),
  ];

  it.each(cases)("%s over %s: 404, as where no row matches", async (run, way) => {
    const before = await stored();
    for (const where of guesses(ids.hidden + shift(run), way))
      expect(await written(way, run, where, user), JSON.stringify(where)).toBe("404 NOT_FOUND");
    expect(await stored()).toEqual(before);
  });

  it.each(cases)("%s over %s: 403 where a row that counts cannot be written", async (run, way) => {
    const before = await stored();
    const id = shift(run);
    const filters: Where[] = [
      // Deleted rows count only where they can be written.
      ...(run === "restore" ? [] : [{ body: "public" }, { shared: true }, { stars: { gte: 1 } }]),
      { id: ids.shared + id },
      { id: { in: [ids.mine + id, ids.shared + id] } },
      // By only their ids hidden rows count too.
      { id: ids.hidden + id },
      { id: { in: [ids.mine + id, ids.hidden + id] } },
    ];
    for (const where of filters)
      expect(await written(way, run, where, user), JSON.stringify(where)).toBe("403 PERMISSION_DENIED");
    expect(await written(way, run, { id: 9 }, user)).toBe("404 NOT_FOUND");
    expect(await stored()).toEqual(before);
  });

  it.each(cases)("%s over %s: rows that do not count stay as they are", async (run, way) => {
    const id = shift(run);
    const among = { body: { in: ["mine", "mine too", "alice earns 9%"] }, id: { lte: 10 + id } };
    expect(await written(way, run, among, user)).toEqual([ids.mine, ids.mineToo]);
    const [hidden] = await world.db.query(
      `select stars, deleted_at is null as live from notes where id = ${ids.hidden + id}`,
    );
    expect(hidden).toEqual({ stars: null, live: id === 0 });
  });

  it.each(cases.filter(([run]) => run === "destroy" || run === "restore"))(
    "%s over %s: a deleted row counts only where it can be written",
    async (run, way) => {
      const deleted = { id: { gte: 10 } };
      expect(await written(way, run, { ...deleted, body: "public" }, user)).toBe("404 NOT_FOUND");
      expect(await written(way, run, { ...deleted, body: "alice earns 9%" }, user)).toBe("404 NOT_FOUND");
      expect(await written(way, run, { ...deleted, shared: true }, user)).toEqual([ids.mineToo]);
    },
  );

  it.each(cases)("%s over %s: a role that fetches nothing finds what it can write", async (run, way) => {
    const all = { stars: { gte: 1, lte: 4 } };
    expect(await written(way, run, { shared: false }, token("clerk"))).toBe("404 NOT_FOUND");
    expect(await written(way, run, all, token("clerk"))).toEqual([ids.shared, ids.mineToo]);
    expect(await written(way, run, { id: ids.hidden + shift(run) }, token("clerk"))).toBe(
      "403 PERMISSION_DENIED",
    );
  });

  it("update: a row that would be out of reach afterwards is 403", async () => {
    const body = { where: { body: "mine too" }, data: { shared: false } };
    const reply = await world.send(call("PUT /notes/update", body, token("publisher", "1")));
    expect(reply.status, reply.text).toBe(403);
  });

  describe("with a hook", () => {
    const update = (where: object) =>
      world.send(call("PUT /notes/update", { where, data: { stars: 9 } }, user));

    it("rows() gives those that count, of which there may be as many as the bulk limit", async () => {
      const told: unknown[] = [];
      hooks = {
        before_update: async (_, { rows }) => {
          told.push((await rows()).map(({ body }) => body));
        },
      };
      await world.db.query(
        "insert into notes (owner_id, body) select 2, 'hidden' from generate_series(1, 9)",
      );
      const reply = await update({ shared: false });
      expect([reply.status, reply.json.data.updated_ids]).toEqual([200, [ids.mine]]);
      expect((await update({ body: { like: "x" }, body__like: "alice" })).status).toBe(400);
      expect((await update({ body__like: "alice" })).status).toBe(404);
      expect((await update({ body__like: "publi" })).status).toBe(403);
      expect(told).toEqual([["mine"]]);
    });

    it("the filter as the hook leaves it decides", async () => {
      hooks = { before_update: ({ where }) => void Object.assign(where, { owner_id: 2 }) };
      expect((await update({ id: ids.hidden })).status).toBe(404);
      hooks = { before_update: ({ data }) => ({ where: { id: ids.hidden }, data }) };
      expect((await update({ body__like: "x" })).status).toBe(403);
    });
  });
});

describe("an upsert decides by fields that the role can read", () => {
  const rows = "insert into vouchers (id, shop, code, serial, note) values (1, 's', 'top secret', 7, 'kept')";

  beforeEach(async () => {
    await world.db.query(`truncate vouchers restart identity; ${rows}`);
  });

  type Data = { readonly [field: string]: Json };
  const over = (way: Way) => (data: Data, as: string) =>
    outcomeOf({ ...requestOf(way, { model: "vouchers", run: "upsert", data }, "__typename"), token: as });

  async function asCaller(data: Data, as: string): Promise<string> {
    hooks = {
      before_fetch: async (_, { db }) => {
        await Reflect.get(db.as("caller"), "vouchers").upsert(data);
      },
    };
    return outcomeOf(call("GET /vouchers/fetch?select_fields=shop", undefined, as));
  }

  async function outcomeOf(sent: Request): Promise<string> {
    const { status, json } = await world.send(sent);
    return [status, json.error, json.details?.field].filter((part) => part !== undefined).join(" ");
  }

  describe.each([
    ["REST", over("REST")],
    ["GraphQL", over("GraphQL")],
    ['as("caller")', asCaller],
  ] as const)("%s", (_, upsert) => {
    it.each<[string, Data, string]>([
      ["a hidden key that is there", { code: "top secret", note: "x" }, "code"],
      ["a hidden key that is not there", { code: "guess", note: "x" }, "code"],
      ["a hidden key of the wrong type", { code: 5 }, "code"],
      ["a hidden part of a key", { shop: "s", serial: 7, note: "x" }, "serial"],
      ["the first key decides, though another one is readable", { code: "a", shop: "s", serial: 7 }, "code"],
    ])("%s is 403", async (_name, data, field) => {
      expect(await upsert(data, user)).toBe(`403 PERMISSION_DENIED ${field}`);
      expect(await world.db.query("select id::int, note from vouchers")).toEqual([{ id: 1, note: "kept" }]);
    });

    it("a key that the role can read finds its row", async () => {
      expect(await upsert({ id: 1, note: "x" }, user)).toBe("200");
      expect(await upsert({ shop: "s", serial: 7, note: "z" }, token("admin"))).toBe("200");
      expect(await world.db.query("select id::int, note from vouchers")).toEqual([{ id: 1, note: "z" }]);
    });

    it("which those are differs by role; the primary key is one", async () => {
      expect(await upsert({ code: "top secret", note: "y" }, token("admin"))).toBe("200");
      expect(await upsert({ id: 1, code: "a" }, token("cashier"))).toBe("403 PERMISSION_DENIED id");
      expect(await world.db.query("select code, note from vouchers")).toEqual([
        { code: "top secret", note: "y" },
      ]);
    });
  });
});
