import { describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import { eventually } from "../support/eventually.ts";
import { requestOf } from "../support/request.ts";
import { outcome, perform, type Scenario, scenarios } from "../support/scenarios.ts";
import { record, rows } from "../support/scenarios-hooked.ts";
import { testService } from "../support/service.ts";
import type { HookedHooks } from "./fixture/generated/models/hooked/model.ts";
import { stage } from "./fixture/stage.ts";

const service = await testService();

const operations = {
  fetch: { send: "GET /hooked/fetch" },
  search: { send: "GET /hooked/search" },
  create: { send: "POST /hooked/create", body: { data: record } },
  update: { send: "PUT /hooked/update", body: { where: { id: 1 }, data: { number: 7 } } },
  upsert: { send: "PUT /hooked/upsert", body: { data: { ...record, name: "one" } } },
  delete: { send: "DELETE /hooked/delete", body: { ids: [1] } },
  destroy: { send: "DELETE /hooked/destroy", body: { query: { id: 3 } } },
  restore: { send: "PATCH /hooked/restore", body: { where: { id: 3 }, data: { deleted_at: null } } },
} as const;

const names = Object.keys(operations).filter((name): name is keyof typeof operations => name in operations);
const throwing = (error: unknown) => (): never => {
  throw error;
};

/** The operation with one hook that does this; nothing may have changed when it is over. */
function failing(
  when: "before" | "after",
  name: keyof typeof operations,
  play: () => never,
  fails: string,
): Scenario {
  return {
    name: `${when}_${name}`,
    given: { hooked: rows },
    as: "admin",
    ...operations[name],
    plays: { [`${when}_${name}`]: play },
    fails,
    hooks: when === "before" ? [`before_${name}`] : [`before_${name}`, `after_${name}`],
    rows: { hooked: rows },
  };
}

const bothSides = (play: () => never, fails: string) =>
  names.flatMap((name) => [failing("before", name, play, fails), failing("after", name, play, fails)]);

describe("a thrown service error is the answer, and nothing is written", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    ...bothSides(throwing(new ServiceError("ACCOUNT_INACTIVE", "Not now.")), "403 ACCOUNT_INACTIVE"),
    failing("before", "create", throwing(new ServiceError("EMAIL_ALREADY_EXISTS")), "409 EMAIL_ALREADY_EXISTS"),
    { ...failing("after", "update", throwing(new ServiceError("VALIDATION_ERROR", "x", { field: "f", more: [1] })), "400 VALIDATION_ERROR f"),
      details: { field: "f", more: [1] } },
  ]);
});

describe("any other throw is INTERNAL_ERROR, and nothing is written", () => {
  scenarios(service, [
    ...bothSides(throwing(new Error("secret reason")), "500 INTERNAL_ERROR"),
    ...["a text", undefined, null, { status: 400, code: "VALIDATION_ERROR" }].map((thrown) => ({
      ...failing("before", "create", throwing(thrown), "500 INTERNAL_ERROR"),
      name: `thrown: ${JSON.stringify(thrown)}`,
    })),
  ]);

  test("the reason is in the log and not in the answer", async () => {
    const scenario = failing("after", "create", throwing(new Error("secret reason")), "500 INTERNAL_ERROR");
    const reply = await perform(service, scenario);
    expect(reply.text).not.toContain("secret");
    const line = service.log.findLast((entry) => entry["request_id"] === reply.headers["x-request-id"]);
    expect(JSON.stringify(line)).toContain("secret reason");
  });

  test("a statement of a hook that fails", async () => {
    await perform(service, {
      ...failing("before", "update", throwing(null), "500 INTERNAL_ERROR"),
      plays: {
        before_update: async (_, { transaction }) => void (await transaction.raw("SELECT * FROM nowhere")),
      },
    });
  });
});

describe("a model with only after-hooks", () => {
  const owners = [
    { id: "0a000000-0000-4000-8000-00000000000a", user_id: 1, mail: "a@example.org", deleted_at: null },
    { id: "0b000000-0000-4000-8000-00000000000b", user_id: 2, deleted_at: "2026-01-01T00:00:00+00:00" },
  ];
  const play = throwing(new ServiceError("ACCOUNT_INACTIVE"));
  const sent = [
    ["after_create", "POST /owners/create", { data: { user_id: 3 } }],
    ["after_create", "POST /owners/create", { data: [{ user_id: 3 }] }],
    ["after_update", "PUT /owners/update", { where: { user_id: 1 }, data: { user_id: 3 } }],
    ["after_upsert", "PUT /owners/upsert", { data: { user_id: 3, mail: "a@example.org" } }],
    ["after_delete", "DELETE /owners/delete", { query: { user_id: 1 } }],
    ["after_destroy", "DELETE /owners/destroy", { query: { user_id: 2 } }],
    ["after_restore", "PATCH /owners/restore", { where: { user_id: 2 }, data: { deleted_at: null } }],
  ] as const;
  scenarios(
    service,
    sent.map(([hook, send, body]) => ({
      given: { owners },
      as: "admin",
      send,
      body,
      plays: { [hook]: play },
      fails: "403 ACCOUNT_INACTIVE",
      hooks: [hook],
      rows: { owners },
    })),
  );
});

test("what a hook wrote itself is rolled back with the rest", async () => {
  await perform(service, {
    ...failing("after", "create", throwing(null), "400 VALIDATION_ERROR"),
    plays: {
      before_create: async (_, { transaction }) =>
        void (await transaction("ledger").insert({ hooked_name: "a" })),
      after_create: throwing(new ServiceError("VALIDATION_ERROR")),
    },
    rows: { hooked: rows, ledger: [] },
  });
});

describe("in a bulk create a throw fails only that record", () => {
  const creating = (before_create: HookedHooks["before_create"] & {}, more: Partial<Scenario>): Scenario => ({
    as: "admin",
    send: "POST /hooked/create",
    body: { data: ["a", "b", "c"].map((name) => ({ name, code: "c" })) },
    plays: { before_create },
    ...more,
  });
  const failed = (error: string, field?: string) => ({
    index: 1,
    error,
    message: expect.any(String),
    ...(field !== undefined && { field }),
  });
  const report = (failure: object) => ({
    data: {
      inserted_count: 2,
      inserted_ids: [expect.any(Number), expect.any(Number)],
      failed_count: 1,
      failed_records: [failure],
      total_attempted: 3,
    },
    rows: { hooked: [{ name: "a" }, { name: "c" }] },
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    creating(({ name }) => { if (name === "b") throw new ServiceError("VALIDATION_ERROR", "no b", { field: "name" }); },
      { name: "a service error", ...report({ ...failed("VALIDATION_ERROR", "name"), message: "no b" }) }),
    creating(({ name }) => { if (name === "b") throw new Error("secret"); },
      { name: "any other", ...report({ ...failed("INTERNAL_ERROR"), message: expect.not.stringContaining("secret") }) }),
    creating(
      async ({ name }, { transaction }) => {
        await transaction("ledger").insert({ hooked_name: name });
        if (name === "b") throw new ServiceError("VALIDATION_ERROR");
      },
      { name: "with what it wrote",
        ...report(failed("VALIDATION_ERROR")),
        rows: { ledger: [{ hooked_name: "a" }, { hooked_name: "c" }] },
      },
    ),
    creating(async ({ name }, { transaction }) => { if (name === "b") await transaction.raw("SELECT 1 / 0"); },
      { name: "with a failed statement", ...report(failed("INTERNAL_ERROR")) }),
    creating(throwing(new ServiceError("ACCOUNT_INACTIVE")),
      { name: "all of them", fails: "400 VALIDATION_ERROR",
        details: { failed_records: [0, 1, 2].map((index) => ({ ...failed("ACCOUNT_INACTIVE"), index })) },
        hooks: ["before_create", "before_create", "before_create"], rows: { hooked: [] } }),
    { ...creating(() => {}, { name: "a throw after all were written takes them back", fails: "403 ACCOUNT_INACTIVE", rows: { hooked: [] } }),
      plays: { after_create: throwing(new ServiceError("ACCOUNT_INACTIVE")) } },
    { name: "in a bulk update as well", given: { hooked: rows }, as: "admin", send: "PUT /hooked/update",
      body: { data: [1, 2].map((id) => ({ id, number: 9 })) },
      plays: { before_update: ({ where }) => { if (where.id === 2) throw new ServiceError("ACCOUNT_INACTIVE"); } },
      data: expect.objectContaining({ updated_ids: [1], failed_records: [failed("ACCOUNT_INACTIVE")] }),
      rows: { hooked: [{ number: 9 }, { number: 2 }, {}] } },
  ]);
});

describe("serialization failures and deadlocks are retried up to three times", () => {
  /** Makes writes to `hooked` fail with a code that many times; `nextval` is not rolled back. */
  const disturb = (code: string, times: number, model = "hooked") =>
    service.query(`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION disturb() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempts') <= ${times} THEN RAISE EXCEPTION 'again' USING ERRCODE = '${code}'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER disturb BEFORE INSERT OR UPDATE ON "${model}" FOR EACH ROW EXECUTE FUNCTION disturb()`);
  const calm = () => service.query("DROP FUNCTION disturb CASCADE; DROP SEQUENCE attempts");
  const tasks = { given: { tasks: [{ id: 1, title: "a" }] }, as: "admin" };
  const hooked = { given: { hooked: rows }, as: "admin" };

  // biome-ignore format: one case a line
  test.each<[string, string, Scenario]>([
    ["a single create", "tasks", { ...tasks, send: "POST /tasks/create", body: { data: { title: "b" } } }],
    ["a bulk create", "tasks", { ...tasks, send: "POST /tasks/create", body: { data: [{ title: "b" }, { title: "c" }] } }],
    ["an update", "tasks", { ...tasks, send: "PUT /tasks/update", body: { where: { id: 1 }, data: { user: 1 } } }],
    ["a bulk update", "tasks", { ...tasks, send: "PUT /tasks/update", body: { data: [{ id: 1, user: 1 }] } }],
    ["an upsert", "tasks", { ...tasks, send: "PUT /tasks/upsert", body: { data: { title: "a" } } }],
    ["a delete", "tasks", { ...tasks, send: "DELETE /tasks/delete?id=1" }],
    ["a create with hooks", "hooked", { ...hooked, ...operations.create }],
    ["an update with hooks", "hooked", { ...hooked, ...operations.update }],
    ["a bulk create with hooks", "hooked", { ...hooked, ...operations.create, body: { data: [record] } }],
  ])("%s", async (_, model, scenario) => {
    for (const [code, times, expected] of [
      ["40001", 3, "200"],
      ["40P01", 1, "200"],
      ["40001", 99, "500 DATABASE_ERROR"],
    ] as const) {
      await service.store(scenario.given ?? {});
      await disturb(code, times, model);
      const reply = await service.send(requestOf(scenario.send, scenario.body), "admin");
      const [attempts] = await service.query("SELECT last_value::int AS count FROM attempts");
      await calm();
      expect([code, outcome(reply), attempts?.["count"]]).toEqual([code, expected, expect.any(Number)]);
      if (expected !== "200") expect(attempts?.["count"]).toBe(4);
    }
  });

  test("also where a hook runs into one", async () => {
    let calls = 0;
    const before_create: HookedHooks["before_create"] = async (_, { transaction }) => {
      calls++;
      if (calls < 3)
        await transaction.raw("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$");
    };
    for (const data of [record, [record]]) {
      calls = 0;
      await perform(service, {
        as: "admin",
        send: "POST /hooked/create",
        body: { data },
        plays: { before_create },
      });
      expect(calls).toBe(3);
      expect(stage.fired.at(-1)?.hook).toBe("after_create");
    }
  });
});

test("a hook that hangs blocks no other request, and writes nothing once the database ends its session after a minute", async () => {
  await service.store({ hooked: rows });
  let goOn = () => {};
  const hanging = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let hangs = false;
  stage.hooks = {
    after_create() {
      hangs = true;
      return hanging;
    },
  };
  const create = () =>
    service.send({ method: "POST", path: "/hooked/create", body: { data: record } }, "admin");
  const pending = create();
  const idle = "pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
  await eventually(() => expect(hangs).toBe(true));
  await eventually(async () => expect(await service.query(`select pid from ${idle}`)).toHaveLength(1));
  stage.hooks = {};
  expect(outcome(await service.send({ method: "GET", path: "/hooked/fetch" }, "admin"))).toBe("200");
  await service.query(`select pg_terminate_backend(pid) from ${idle}`);
  expect(outcome(await create())).toBe("200");
  goOn();
  expect(outcome(await pending)).toBe("500 DATABASE_ERROR");
});
