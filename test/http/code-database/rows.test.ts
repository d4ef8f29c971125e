import { describe, expect, test } from "vitest";
import type { ChangedContext, TargetContext } from "#runtime/hooks/context/index";
import type { Json } from "#vocabulary/json";
import { inRead, sendWith } from "../../support/code-in-hooks.ts";
import { expectRows } from "../../support/scenarios.ts";
import { rows as given } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import type { HookedTypes } from "../fixture/generated/models/hooked/model.ts";
import { type StagedHooks, stage } from "../fixture/stage.ts";

const service = await testService({ server: { bulkLimit: 3 } });

type Seen = Pick<ChangedContext<HookedTypes>, "before"> & { rows?: unknown; after?: unknown };

/** Hooks of an operation, with what they were told. */
function telling(operation: "update" | "delete" | "destroy" | "restore", seen: Seen): StagedHooks {
  return {
    [`before_${operation}`]: async (_: unknown, { rows }: { rows: () => Promise<unknown> }) => {
      seen.rows = await rows();
    },
    [`after_${operation}`]: async (_: unknown, context: ChangedContext<HookedTypes>) => {
      Object.assign(seen, { before: context.before, after: await context.after() });
    },
  };
}

const gone4 = { id: 4, name: "gone too", code: "c", deleted_at: "2026-01-01T00:00:00+00:00" };

const graphql = (query: string) => ({ method: "POST", path: "/graphql", body: { query } });
const named = (...names: string[]) => names.map((name) => expect.objectContaining({ name }));
const [one, two, gone] = named("one", "two", "gone");

describe("rows(), before and after()", () => {
  // biome-ignore format: one case a line
  test.each<
    readonly [string, Parameters<typeof telling>[0], Parameters<typeof sendWith>[3], unknown, unknown]
  >([
    ["update", "update", { method: "PUT", path: "/hooked/update", body: { where: { number__gte: 1 }, data: { number: 9 } } }, [one, two],
      [row({ name: "one", number: 9 }), row({ name: "two", number: 9 })]],
    ["update over GraphQL", "update", graphql('mutation { updateHooked(where: {name: "two"}, input: {number: 9}) { id } }'), [two],
      [row({ name: "two", number: 9 })]],
    ["update of many, in the order of the list", "update",
      { method: "PUT", path: "/hooked/update", body: { data: [{ id: 2, number: 8 }, { id: 99, number: 1 }, { id: 1, number: 7 }] } }, [two, one],
      [row({ id: 2, number: 8 }), row({ id: 1, number: 7 })]],
    ["update of many, of which one stands twice", "update",
      { method: "PUT", path: "/hooked/update", body: { data: [{ id: 2, number: 8 }, { id: 1, number: 7 }, { id: 2, number: 6 }] } }, [two, one],
      [row({ id: 2, number: 8 }), row({ id: 1, number: 7 })]],
    ["update of many, of which the database refuses one", "update",
      { method: "PUT", path: "/hooked/update", body: { data: [{ id: 2, name: "one" }, { id: 1, number: 7 }] } }, [one], [row({ id: 1, number: 7 })]],
    ["delete of ids, one of them twice", "delete", { method: "DELETE", path: "/hooked/delete", body: { ids: [2, 1, 2] } }, [one, two],
      [row({ name: "one", deleted_at: expect.any(String) }), row({ name: "two", deleted_at: expect.any(String) })]],
    ["delete", "delete", { method: "DELETE", path: "/hooked/delete", body: { ids: [2, 1] } }, [one, two],
      [row({ name: "one", deleted_at: expect.any(String) }), row({ name: "two", deleted_at: expect.any(String) })]],
    ["destroy, of which nothing is there any more", "destroy",
      { method: "DELETE", path: "/hooked/destroy", body: { where: { number__is_null: true } } }, [gone], []],
    ["restore", "restore", { method: "PATCH", path: "/hooked/restore", body: { where: { id: 3 }, data: { number: 3 } } }, [gone],
      [row({ name: "gone", deleted_at: null, number: 3 })]],
  ])("%s", async (_called, operation, sent, before, after) => {
    await service.store({ hooked: given });
    const seen: Seen = { before: undefined };
    const reply = await sendWith(service, telling(operation, seen), "admin", sent);
    expect(reply.status, reply.text).toBe(200);
    expect(seen.before).toEqual(before);
    expect(seen.after).toEqual(after);
  });

  test("without rows() there is no before", async () => {
    await service.store({ hooked: given });
    const seen: Seen = { before: [] };
    const { after_update } = telling("update", seen);
    await sendWith(service, { ...(after_update !== undefined && { after_update }) }, "admin", {
      method: "PUT",
      path: "/hooked/update",
      body: { where: { id: 1 }, data: { number: 9 } },
    });
    expect(seen).toEqual({ before: undefined, after: [row({ id: 1, number: 9 })] });
  });

  // biome-ignore format: one case a line
  test.each<readonly [string, object, unknown]>([
    ["create", { method: "POST", path: "/hooked/create", body: { data: { name: "n", code: "c" } } }, named("n")],
    ["create of many", { method: "POST", path: "/hooked/create", body: { data: [{ name: "z", code: "c" }, {}, { name: "a", code: "c" }] } },
      named("z", "a")],
    ["upsert", { method: "PUT", path: "/hooked/upsert", body: { data: { name: "one", code: "x" } } }, [row({ id: 1, code: "x" })]],
  ])("after() of %s", async (_called, sent, after) => {
    await service.store({ hooked: given });
    const seen: unknown[] = [];
    const hook = async (_: unknown, context: Pick<ChangedContext<HookedTypes>, "after">) => {
      seen.push(await context.after());
    };
    await sendWith(service, { after_create: hook, after_upsert: hook }, "admin", { method: "",
      path: "",
      ...sent,
    });
    expect(seen).toEqual([after]);
  });
});

describe("what rows() refuses", () => {
  const many = Array.from({ length: 5 }, (_item, at) => ({ id: at + 1, name: `n${at}`, code: "c" }));
  const all = { where: { code: "c" }, data: { number: 1 } };

  test.each<readonly [string, Parameters<typeof telling>[0], Json, string]>([
    ["no row", "update", { where: { id: 99 }, data: { number: 1 } }, "404 NOT_FOUND"],
    ["an id that is not there", "delete", { ids: [1, 99] }, "404 NOT_FOUND"],
    ["an id that is not there, of a destroy", "destroy", { ids: [99] }, "404 NOT_FOUND"],
    ["live rows of a restore", "restore", { where: { id: 1 }, data: { number: 1 } }, "404 NOT_FOUND"],
    ["more rows than the bulk limit", "update", all, "400 VALIDATION_ERROR"],
    ["more rows than that of a destroy", "destroy", { query: { code: "c" } }, "400 VALIDATION_ERROR"],
  ])("%s", async (_called, operation, body, answer) => {
    await service.store({ hooked: many });
    const method = { update: "PUT", restore: "PATCH", delete: "DELETE", destroy: "DELETE" }[operation];
    const seen: Seen = { before: undefined };
    const sent = { method, path: `/hooked/${operation}`, body };
    const { status, envelope } = await sendWith(service, telling(operation, seen), "admin", sent);
    expect(`${status} ${envelope.error}`).toBe(answer);
    expect(seen).toEqual({ before: undefined });
  });

  test("without rows() there is no such limit", async () => {
    await service.store({ hooked: many });
    const sent = { method: "PUT", path: "/hooked/update", body: all };
    const reply = await sendWith(service, { before_update: () => {} }, "admin", sent);
    expect(reply.envelope.data).toMatchObject({ updated_count: 5 });
  });
});

test("a row that is out of the caller's reach is 403 in rows(), but not for code", async () => {
  await service.store({ hooked: [{ id: 1, name: "far", number: 150, code: "c" }] });
  const told: unknown[] = [];
  const before_update: StagedHooks["before_update"] = async (_, { rows }) => {
    told.push(await rows().catch((error: unknown) => Reflect.get(Object(error), "code")));
  };
  const change = { where: { id: 1 }, data: { number: 1 } };
  const sent = { method: "PUT", path: "/hooked/update", body: change };
  const reply = await sendWith(service, { before_update }, "user", sent);
  expect(reply.status).toBe(403);
  const before_fetch: StagedHooks["before_fetch"] = async (_, { db }) => {
    await db.hooked.update(change);
  };
  await sendWith(service, { before_update, before_fetch }, "user", { method: "GET", path: "/hooked/fetch" });
  expect(told).toEqual(["PERMISSION_DENIED", [row({ name: "far" })]]);
});

test("the filter is taken as it stands, changed in place too; what the hook narrows later is not", async () => {
  await service.store({ hooked: given });
  const seen: unknown[] = [];
  const reply = await sendWith(
    service,
    {
      before_update: async ({ where }, { rows }) => {
        where.number__lte = 2;
        seen.push((await rows()).map(({ id }) => id));
        where.name = "two";
      },
      after_update: (_, { before }) => {
        seen.push(before?.map(({ id }) => id));
      },
    },
    "admin",
    { method: "PUT", path: "/hooked/update", body: { where: { number__gte: 1 }, data: { code: "x" } } },
  );
  expect(seen).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(reply.envelope.data).toMatchObject({ updated_ids: [2] });
});

test("the operation changes the rows that rows() returned, and no newer ones; they stay locked meanwhile", async () => {
  await service.store({ hooked: given });
  const reply = await sendWith(
    service,
    {
      before_update: async (_, { rows }) => {
        await rows();
        await service.query("INSERT INTO hooked (id, name, number, code) VALUES (50, 'late', 1, 'c')");
        const locked = await service.query("SELECT id FROM hooked ORDER BY id FOR UPDATE SKIP LOCKED");
        expect(locked.map(({ id }) => Number(id))).toEqual([3, 50]);
      },
    },
    "admin",
    { method: "PUT", path: "/hooked/update", body: { where: { number__gte: 1 }, data: { code: "x" } } },
  );
  expect(reply.envelope.data).toMatchObject({ updated_ids: [1, 2] });
});

test.each([
  ["delete", "before_delete", { hooked: [1, 2] }],
  ["destroy", "before_destroy", { hooked: [1, 2] }],
  ["restore", "before_restore", { hooked: [3, 4] }],
] as const)("of ids a hook may leave some out: %s", async (operation, hook, { hooked: ids }) => {
  await service.store({ hooked: [...given, { ...gone4 }] });
  const [kept] = ids;
  const seen: unknown[] = [];
  const { value } = await inRead(service, async ({ db }) => {
    Object.assign(stage.hooks, {
      [hook]: async (_: unknown, { rows }: TargetContext<HookedTypes>) => {
        seen.push((await rows()).map(({ id }) => id));
        return operation === "restore" ? { where: { id: kept }, data: {} } : { ids: [kept] };
      },
      [`after_${operation}`]: (_: unknown, { before }: ChangedContext<HookedTypes>) =>
        void seen.push(before?.map(({ id }) => id)),
    });
    return db.hooked[operation]({ ids: [...ids] });
  });
  expect(value).toEqual([kept]);
  expect(seen).toEqual([ids, ids]);
});

test.each(["delete", "destroy", "restore"] as const)(
  "of ids that it keeps none may be missing: %s",
  async (operation) => {
    await service.store({ hooked: given });
    const there = operation === "restore" ? 3 : 1;
    const { value } = await inRead(service, async ({ db }) => {
      Object.assign(stage.hooks, { [`before_${operation}`]: () => {} });
      return db.hooked[operation]({ ids: [there, 99] }).catch((error: unknown) =>
        Reflect.get(Object(error), "code"),
      );
    });
    expect(value).toBe("NOT_FOUND");
    await expectRows(service, "hooked", given);
  },
);

test("through context.db the hooks are told of the rows, too", async () => {
  await service.store({ hooked: given });
  const seen: Seen = { before: undefined };
  const hooks = telling("delete", seen);
  await sendWith(
    service,
    {
      ...hooks,
      before_fetch: async (_, { db }) => {
        await db.hooked.delete({ ids: [1] });
      },
    },
    "guest",
    { method: "GET", path: "/hooked/fetch" },
  );
  expect(seen).toMatchObject({ before: [one], after: [one] });
});

function row(fields: object) {
  return expect.objectContaining(fields);
}
