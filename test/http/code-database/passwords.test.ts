import { beforeEach, describe, expect, test } from "vitest";
import type { CodeContext } from "#runtime/hooks/context/index";
import type { AnyHooks } from "#runtime/hooks/index";
import type { Json } from "#vocabulary/json";
import { account, password } from "../../support/accounts.ts";
import { inRead, sendWith, unknown } from "../../support/code-in-hooks.ts";
import { testService } from "../../support/service.ts";
import { service as fixture } from "../fixture/generated/index.ts";

/** What hooks were given: each value, and the rows of the operation. */
const seen: Record<string, unknown> = {};

type Told = Partial<Record<"rows" | "after", () => Promise<unknown>>> & { readonly before?: unknown };

/** Keeps all that a hook can get. */
const keeping = (name: string) => async (value: unknown, context: object) => {
  const { rows, after, before } = unknown<Told>(context);
  seen[name] = structuredClone([value, await rows?.(), before, await after?.()]);
};
const operations = ["fetch", "search", "create", "update", "upsert", "delete", "destroy", "restore"];
const names = operations.flatMap((operation) => [`before_${operation}`, `after_${operation}`]);
const hooks = unknown<AnyHooks>(Object.fromEntries(names.map((name) => [name, keeping(name)])));
const service = await testService(
  {},
  {
    served: {
      ...fixture,
      models: fixture.models.map((entry) => (entry.model.key === "people" ? { ...entry, hooks } : entry)),
    },
  },
);

const hash = `$2b$04$${"h".repeat(53)}`;
const person = { id: 1, name: "p", salary: 5, secret: hash, deleted_at: null };
const secret = "as it was sent";

beforeEach(async () => {
  for (const name of Object.keys(seen)) delete seen[name];
  await service.store({ people: [person, { ...person, id: 2, salary: 6, deleted_at: "2026-01-01" }] });
});

const put = (operation: string, body: Json, method = "PUT") => ({
  method,
  path: `/people/${operation}`,
  body,
});

// biome-ignore format: one case a line
test.each<
  readonly [called: string, sent: Parameters<typeof service.send>[0], call: (context: CodeContext) => unknown]
>([
  ["create", put("create", { data: { name: "n", secret } }, "POST"), ({ db }) => db.people.create({ name: "n", secret })],
  ["create of many", put("create", { data: [{ name: "n", secret }] }, "POST"), ({ db }) => db.people.create([{ name: "n", secret }])],
  ["update", put("update", { where: { id: 1 }, data: { secret } }), ({ db }) => db.people.update({ where: { id: 1 }, data: { secret } })],
  ["upsert", put("upsert", { data: { id: 1, name: "n", secret } }), ({ db }) => db.people.upsert({ id: 1, name: "n", secret })],
])(
  "a before-hook sees a password as it was sent, and nothing else of one is seen: %s",
  async (called, sent, call) => {
    const [operation = ""] = called.split(" ");
    const before = [expect.objectContaining(operation === "update" ? { data: { secret } } : { secret })];
    for (const way of ["over REST", "by code"]) {
      if (way === "over REST") expect((await service.send(sent, "admin")).status).toBe(200);
      else
        expect(JSON.stringify((await inRead(service, async (context) => call(context))).value)).not.toMatch(
          /\$2|sent/,
        );
      expect(seen[`before_${operation}`], way).toEqual(expect.arrayContaining(before));
      expect(JSON.stringify(seen[`after_${operation}`]), way).not.toMatch(/\$2|sent/);
      const [stored] = await service.query(`SELECT secret FROM people WHERE secret <> '${hash}'`);
      expect(stored?.["secret"]).toMatch(/^\$2/);
      await service.store({ people: [person] });
    }
  },
);

describe("no row that code gets has a password", () => {
  test.each<readonly [string, Parameters<typeof service.send>[0]]>([
    ["fetch", { method: "GET", path: "/people/fetch" }],
    ["search", { method: "GET", path: "/people/search?search_term=p" }],
    ["update", put("update", { where: { id: 1 }, data: { open: "o" } })],
    ["delete", put("delete", { ids: [1] }, "DELETE")],
    ["destroy", put("destroy", { ids: [1, 2] }, "DELETE")],
    ["restore", put("restore", { where: { id: 2 }, data: { deleted_at: null } }, "PATCH")],
  ])("in hooks of %s", async (operation, sent) => {
    const reply = await service.send(sent, "admin");
    expect(reply.status).toBe(200);
    const told = JSON.stringify([seen[`before_${operation}`], seen[`after_${operation}`], reply.text]);
    expect(Object.keys(seen)).toEqual([`before_${operation}`, `after_${operation}`]);
    if (operation !== "destroy") expect(told).toContain('"name":"p"');
    expect(told).not.toMatch(/secret|\$2/);
  });

  test("of an account neither, nor those of columns of the app's own", async () => {
    await service.store({ users: [account(1, { pin: hash, handle: "h" })] });
    const { value } = await inRead(service, async ({ db }) => [
      await db.users.fetch(),
      await db.users
        .search({ search_term: "user1" })
        .catch((error: unknown) => Reflect.get(Object(error), "code")),
      await db.users.get(1),
      await Promise.all(
        [
          db.users.fetch({ select_fields: unknown<never>(["password"]) }),
          db.users.fetch({ where: unknown({ pin: hash }) }),
          db.users.fetch({ order_by: unknown("password") }),
          db.users.exists(unknown({ password__is_not_null: true })),
        ].map((call) => call.catch((error: unknown) => Reflect.get(Object(error), "code"))),
      ),
    ]);
    expect(JSON.stringify(value)).not.toMatch(/"password|"pin|\$2/);
    expect(value).toMatchObject([
      [{ handle: "h" }],
      "PERMISSION_DENIED",
      { id: 1 },
      Array(4).fill("PERMISSION_DENIED"),
    ]);
  });

  test("but context.sql gives what it selects", async () => {
    const { value } = await inRead(service, ({ sql }) => sql`select secret from people where id = 1`);
    expect(value).toEqual([{ secret: hash }]);
  });
});

test("before_register sees the password as it was sent, after_register nothing of it", async () => {
  const sent = { method: "POST", path: "/auth/register", body: { email: "ann@example.com", password } };
  const reply = await sendWith(
    service,
    { before_register: keeping("before_register"), after_register: keeping("after_register") },
    null,
    sent,
  );
  expect(reply.status).toBe(200);
  expect(seen["before_register"]).toMatchObject([{ password }, undefined, undefined, undefined]);
  expect(JSON.stringify(seen["after_register"])).not.toMatch(/"password|\$2/);
});
