import { beforeAll, describe, expect, it } from "vitest";
import {
  callerColumn,
  definePolicy,
  eq,
  isIn,
  isNull,
  like,
  lt,
  not,
  notIn,
  or,
} from "#runtime/access/index";
import { defineModel, type Field, type Model } from "#runtime/model/index";
import type { Condition } from "#vocabulary/conditions";
import { expectEnvelope } from "./support/envelope.ts";
import { mounted, schemas } from "./support/models.ts";
import type { Rules } from "./support/tenants.ts";
import { startWorld, token, type World } from "./support/world.ts";

interface OfType {
  readonly field: Field;
  readonly sql: string;
  /** Less than the caller's, the caller's own in another form, and more than it. */
  readonly values: readonly [string, string, string];
  readonly caller: string;
}

const field = (kind: Field["kind"]): Field => ({ kind, nullable: true });

const types = {
  string: { field: field("string"), sql: "varchar(255)", values: ["re", "red", "ree"], caller: "red" },
  text: { field: field("text"), sql: "text", values: ["R%d", "r%d", "rod"], caller: "r%d" },
  integer: { field: field("integer"), sql: "integer", values: ["-9", "10", "11"], caller: "10" },
  bigint: {
    field: field("int64"),
    sql: "bigint",
    values: ["9007199254740992", "9007199254740993", "9007199254740994"],
    caller: "9007199254740993",
  },
  decimal: {
    field: { ...field("decimal"), decimal: { precision: 20, scale: 2 } },
    sql: "numeric(20,2)",
    values: ["123456789012345678.11", "123456789012345678.12", "123456789012345678.13"],
    caller: "123456789012345678.12",
  },
  boolean: { field: field("boolean"), sql: "boolean", values: ["false", "true", "false"], caller: "true" },
  date: {
    field: field("date"),
    sql: "date",
    values: ["2024-02-28", "2024-02-29", "2024-03-01"],
    caller: "2024-02-29",
  },
  datetime: {
    field: field("datetime"),
    sql: "timestamptz(3)",
    values: ["2024-02-29T11:59:59.999Z", "2024-02-29T13:00:00+01", "2024-02-29T12:00:00.001Z"],
    caller: "2024-02-29T12:00:00Z",
  },
  time: {
    field: field("time"),
    sql: "time(0)",
    values: ["07:59:59", "08:00:00", "08:00:01"],
    caller: "08:00:00",
  },
  uuid: {
    field: field("uuid"),
    sql: "uuid",
    values: [
      "00000000-0000-4000-8000-00000000000a",
      "00000000-0000-4000-8000-00000000000B",
      "00000000-0000-4000-8000-00000000000c",
    ],
    caller: "00000000-0000-4000-8000-00000000000b",
  },
} satisfies Record<string, OfType>;

type Type = keyof typeof types;

const names = Object.keys(types) as Type[];
const fields: Record<string, Field> = {
  label: field("string"),
  ...Object.fromEntries(names.map((name) => [`a_${name}`, types[name].field])),
};
const columns = names.map((name) => `a_${name} ${types[name].sql}`).join();
const stamps =
  "created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now()";

const model = (key: string) =>
  defineModel({
    key,
    typeName: key,
    table: key,
    slug: key,
    id: "bigint",
    softDelete: false,
    maxLimit: 100,
    fields,
    relations: {},
    uniqueKeys: [],
    foreignKeys: [],
  });

const mine = (name: Type) => callerColumn(`a_${name}`);

/** What a rule says, and the rows that it opens: 1 is less, 2 equal, 3 more, 4 NULL. */
// biome-ignore format: one case a line
const forms: readonly [string, (name: Type) => Condition, readonly number[], readonly Type[]][] = [
  ["equal", (name) => eq(`a_${name}`, mine(name)), [2], names],
  ["in", (name) => isIn(`a_${name}`, [mine(name)]), [2], names],
  ["not in", (name) => notIn(`a_${name}`, [mine(name)]), [1, 3], names],
  ["not", (name) => not(eq(`a_${name}`, mine(name))), [1, 3], names],
  ["less", (name) => lt(`a_${name}`, mine(name)), [1], names.filter((name) => name !== "boolean" && name !== "text")],
  ["like", (name) => like(`a_${name}`, mine(name)), [2], ["string", "text"]],
];

const cases = forms.flatMap(([form, condition, found, of]) =>
  of.map((name) => ({ role: `${name} ${form}`, condition: condition(name), found })),
);

const things = model("things");
const users = model("users");

describe("a column of the caller", () => {
  let world: World;

  beforeAll(async () => {
    const rules: Rules = {
      ...Object.fromEntries(cases.map(({ role, condition }) => [role, condition])),
      without: isNull(mine("text")),
    };
    const anyOf: Condition = or(...cases.map(({ condition }) => condition));
    const policy = definePolicy<Model>({
      fetch: { ...rules, guest: anyOf },
      search: {},
      count: rules,
      exists: rules,
      create: {},
      update: rules,
      upsert: {},
      delete: {},
      destroy: {},
      restore: {},
      fields: {},
    });
    world = await startWorld({
      models: [mounted(things, policy, schemas(things, { label: { type: "string" } }, []))],
      internalModels: [users],
      sql: ["users", "things"]
        .map(
          (name) =>
            `create table ${name} (id bigint generated by default as identity primary key, label varchar(255), ${columns}, ${stamps});`,
        )
        .join(""),
    });
    const list = (pick: (type: OfType) => string) => names.map((name) => `'${pick(types[name])}'`).join();
    await world.db.query(`insert into users (id) values (2)`);
    await world.db.query(`insert into users values (1, null, ${list(({ caller }) => caller)})`);
    for (const index of [0, 1, 2] as const)
      await world.db.query(
        `insert into things values (${index + 1}, null, ${list(({ values }) => values[index])})`,
      );
    await world.db.query("insert into things (id) values (4)");
  });

  async function reached(role: string, user: string): Promise<unknown[][]> {
    const reply = await world.send({ path: "/things/fetch?select_fields=id", token: token(role, user) });
    expectEnvelope(reply, role);
    const query = "{ things { id } }";
    const graphql = await world.send({
      method: "POST",
      path: "/graphql",
      token: token(role, user),
      body: { query },
    });
    const read = JSON.parse(graphql.text).data;
    const written = [];
    for (const id of [1, 2, 3, 4]) {
      const body = { where: { id }, data: { label: role } };
      const { status } = await world.send({
        method: "PUT",
        path: "/things/update",
        token: token(role, user),
        body,
      });
      expect([200, 403]).toContain(status);
      if (status === 200) written.push(id);
    }
    const ids = (rows: readonly { readonly id?: unknown }[]) => rows.map(({ id }) => Number(id));
    return [ids(reply.json.data), ids(read.things), written];
  }

  it.each(cases)("$role", async ({ role, found }) => {
    expect(await reached(role, "1")).toEqual([found, found, found]);
  });

  it.each(["2", "99", "9".repeat(30), "no number"])("is NULL for caller %s", async (user) => {
    for (const { role } of cases) expect([role, await reached(role, user)]).toEqual([role, [[], [], []]]);
    const all = [1, 2, 3, 4];
    expect(await reached("without", user)).toEqual([all, all, all]);
  });

  it("is NULL for a guest", async () => {
    const { status, json } = await world.send({ path: "/things/fetch" });
    expect([status, json.data]).toEqual([200, []]);
  });
});
