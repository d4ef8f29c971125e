import { beforeEach, describe, expect, test } from "vitest";
import type { CodeContext } from "#runtime/hooks/context/index";
import { defineJob, defineRoute } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { password } from "../../support/accounts.ts";
import { sendWith, unknown } from "../../support/code-in-hooks.ts";
import { serviceQueue } from "../../support/queue.ts";
import { record } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import type { StagedHooks } from "../fixture/stage.ts";

type Code = (context: CodeContext) => Promise<unknown>;

let code: Code = async () => {};
const handler = async (_: unknown, context: CodeContext) => void (await code(context));
const probe = defineJob({ payload: { type: "object" }, attempts: 1, run: handler });
const route = defineRoute({
  method: "GET",
  path: "/probe",
  access: ["*"],
  answer: { type: "null" },
  handler,
});
const served = { ...fixture, jobs: { ...fixture.jobs, probe }, routes: [route] };
const service = await testService({}, { served });
const queue = await serviceQueue(served, service);

const sending =
  (hook: keyof StagedHooks, method: string, path: string, body?: Json) =>
  async (run: Code): Promise<number> => {
    const hooks: StagedHooks = { [hook]: (_: unknown, context: CodeContext) => run(context).then(() => {}) };
    const { status } = await sendWith(service, hooks, "admin", { method, path, body });
    await service.settled();
    return status;
  };
const fetching = sending("before_fetch", "GET", "/hooked/fetch");
const account = { email: "ann@example.com", password };

/** Where code runs, and what comes of it there where it fails: a status, or the error of a job. */
const places: readonly (readonly [
  called: string,
  run: (code: Code) => Promise<unknown>,
  failure: unknown,
])[] = [
  ["a hook of a read", fetching, 500],
  ["a hook of a mutation", sending("before_create", "POST", "/hooked/create", { data: record }), 500],
  ["a hook of an account", sending("before_register", "POST", "/auth/register", account), 500],
  ["a hook of GraphQL", sending("before_graphql", "POST", "/graphql", { query: "{ hooked { id } }" }), 500],
  ["a transaction()", (run) => fetching(({ db }) => db.transaction(run)), 500],
  ["an afterCommit callback", (run) => fetching(async ({ afterCommit }) => afterCommit(run)), 200],
  [
    "a route",
    async (run) => {
      code = run;
      return (await service.send({ method: "GET", path: "/probe" })).status;
    },
    500,
  ],
  [
    "a job",
    async (run) => {
      code = run;
      await queue.tick("probe");
      await service.query("UPDATE kirak_jobs.jobs SET max_attempts = 1");
      await queue.work();
      return (await queue.queued()).map(({ last_error }) => last_error).join();
    },
    expect.stringContaining("did not await a call of its context"),
  ],
];

/** Outside a transaction each call is its own. */
const isBound = (called: string) =>
  ["a hook of a mutation", "a hook of an account", "a transaction()"].includes(called);

beforeEach(async () => {
  await service.store({});
  await queue.empty();
  service.log.length = 0;
});

describe.each(places)("%s", (called, run, failure) => {
  test("every call throws once it is over", async () => {
    let kept: CodeContext | null = null;
    await run(async (context) => {
      kept = context;
    });
    const context = unknown<CodeContext>(kept);
    const { db, sql, jobs, mail, sms, afterCommit, storage } = context;
    const calls = [
      () => db.tasks.count(),
      () => db.tasks.create({ title: "late" }),
      () => db.as("caller").tasks.fetch(),
      () => sql`insert into tasks (title, status) values ('late', 'open')`,
      () => db.transaction(async () => {}),
      () => jobs.enqueue("send-later", { text: "late" }),
      () => mail.send({ to: "a@example.org", subject: "late", text: "late" }),
      () => sms.send({ to: "+41791234567", text: "late" }),
      async () => afterCommit(() => {}),
      () => storage.put("a.txt", "late"),
    ].filter((_, index) => index !== 2 || called !== "a job");
    const told = await Promise.all(calls.map((call) => call().then(String, String)));
    expect(told).toEqual(calls.map(() => expect.stringContaining("the context has ended")));
    expect(await service.query("SELECT FROM tasks")).toEqual([]);
    expect(await queue.queued()).toEqual([]);
  });

  test("a call that it leaves behind is waited for, and fails it", async () => {
    const outcome = await run(async ({ db, sql }) => {
      await sql`select 1`;
      void db.tasks.create({ title: "left" }).catch(() => {});
    });
    expect(outcome).toEqual(failure);
    expect(JSON.stringify(service.log)).toContain("did not await a call of its context");
    expect(await service.query("SELECT title FROM tasks")).toEqual(
      isBound(called) ? [] : [{ title: "left" }],
    );
  });

  test("so does one that failed before it was over: it ends no process", async () => {
    const outcome = await run(async ({ db }) => {
      void db.tasks.create(unknown({}));
      await db.tasks.count();
    });
    expect(outcome).toEqual(failure);
  });

  test("if it throws, concurrent calls are awaited", async () => {
    await run(async ({ db, sql }) => {
      const failing = db.tasks.create(unknown({}));
      await Promise.all([failing, sql`select pg_sleep(0.1)`, db.tasks.create({ title: "concurrent" })]);
    });
    const titles = await service.query("SELECT title FROM tasks");
    expect(titles).toEqual(isBound(called) ? [] : [{ title: "concurrent" }]);
    expect(JSON.stringify(service.log)).not.toContain("did not await a call");
  });

  test("a failed call that is awaited later, in any way, does not", async () => {
    const outcome = await run(async ({ db, sql }) => {
      const failing = db.tasks.create(unknown({}));
      const counting = db.tasks.count();
      await sql`select 1`;
      await Promise.allSettled([failing, db.tasks.get(1)]);
      await Promise.race([sql`select 2`]);
      return counting;
    });
    expect(outcome).toEqual(failure === 500 ? 200 : typeof failure === "number" ? failure : "");
    expect(JSON.stringify(service.log)).not.toContain("did not await a call");
  });
});

test("an unawaited call that is refused after the end is logged, and does not end the process", async () => {
  let kept: CodeContext | null = null;
  await fetching(async (context) => {
    kept = context;
  });
  const { db, storage } = unknown<CodeContext>(kept);
  void db.tasks.create({ title: "late" });
  void storage.put("a.txt", "late");
  const told = () =>
    service.log.filter(({ msg }) => msg === "a call failed, and the app code did not await it");
  await expect.poll(told).toHaveLength(2);
  expect(told()).toMatchObject(Array(2).fill({ level: 50, request_id: expect.any(String) }));
});
