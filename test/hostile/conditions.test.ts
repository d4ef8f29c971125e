import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conditionSql } from "#runtime/data/sql/conditions/condition";
import { insertColumns, insertOne } from "#runtime/data/sql/insert-statement";
import type { BindValue } from "#runtime/data/sql/kinds";
import { columnsOfTable, type Plan, plan, sql } from "#runtime/data/sql/sql";
import {
  and,
  between,
  caller,
  eq,
  gt,
  gte,
  ilike,
  isIn,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  notIn,
  now,
  or,
  type Principal,
} from "#runtime/models/access/index";
import type { Model } from "#runtime/models/index";
import type { Comparison, Condition, Operand, Placeholder } from "#vocabulary/conditions/conditions";
import { runs } from "../support/seeded.ts";
import {
  type Comparable,
  compare,
  every,
  integerOf,
  isLike,
  negate,
  type Sign,
  type Truth,
} from "../support/three-valued.ts";
import { folders, slips, startWorld, things } from "./support/models.ts";

const text = { kind: "text", values: ["a", "b", "ab", "c\\%", "%"] } as const;
// biome-ignore format: one entry a line
const thingDomains: Domains = {
  name: text,
  mail: { kind: "text", values: ["a", "A", "a%"] },
  count: { kind: "int4", values: [0, 1, 2, 2147483647] },
  big: { kind: "int8", values: [0, 1, 2, 9007199254740991] },
  ratio: { kind: "float", values: [0, 1, 0.5, -1e300] },
  flag: { kind: "boolean", values: [true, false] },
  at: { kind: "datetime", values: ["1999-12-31T23:59:59.999Z", "2024-02-29T00:00:00.000Z", "2999-01-01T00:00:00.000Z"] },
  day: { kind: "date", values: ["1999-12-31", "2024-02-29", "2999-01-01"] },
  ref: { kind: "uuid", values: ["00000000-0000-4000-8000-000000000001", "ffffffff-ffff-4fff-bfff-ffffffffffff"] },
};
const slipDomains: Domains = {
  code: text,
  amount: { kind: "int4", values: [0, 1, 2] },
  "folder.owner_id": { kind: "int8", values: [0, 1, 2] },
  "folder.label": text,
  "folder.open": { kind: "boolean", values: [true, false] },
};

const models = new Map<string, Model>([things, folders, slips].map((model) => [model.key, model]));

/** A row with a value of each domain, or NULL. */
const thing: fc.Arbitrary<Row> = fc.record(
  Object.fromEntries(
    Object.entries(thingDomains).map(([name, { values }]) => [
      name,
      fc.option(fc.constantFrom(...values), { freq: 4 }),
    ]),
  ),
);

describe("random row conditions, compared with three-valued logic", async () => {
  const rows = new Map<string, Row>();
  const slipRows = new Map<string, Row>();
  const world = await startWorld();
  const { db } = world;
  await db.query("set timezone = 'UTC'");
  const names = Object.keys(thingDomains);
  for (const row of fc.sample(thing, { numRuns: 60, seed: 3 })) {
    const list = names.map((_, at) => `$${at + 1}`).join();
    const [saved] = await db.query(
      `insert into things (${names.join()}) values (${list}) returning id`,
      names.map((name) => row[name]),
    );
    rows.set(String(saved?.["id"]), row);
  }
  await db.query(`
      drop index slips_code_key;
      insert into folders (owner_id, label, open, deleted_at)
        select o, l, p, d from unnest(array[0, 1, 2]) o, unnest(array['a', 'c\\%', null]) l,
          unnest(array[true, false]) p, unnest(array[null, now()]) d;
      insert into slips (folder_id, code, amount) select id, 'a', id % 3 from folders;
    `);
  const joined = await db.query(`
      select s.id, s.code, s.amount, f.owner_id, f.label, f.open
      from slips s left join folders f on f.id = s.folder_id and f.deleted_at is null`);
  for (const { id, code, amount, owner_id, label, open } of joined)
    slipRows.set(id, {
      code,
      amount,
      "folder.owner_id": owner_id,
      "folder.label": label,
      "folder.open": open,
    });

  const run = (made: Plan, values: readonly BindValue[], who: Principal) =>
    world.database.run({ name: null, text: made.statement.text }, made.bind(values, who));

  async function admitted(model: Model, when: Condition, who: Principal): Promise<unknown[]> {
    const where = conditionSql(when, model, models, columnsOfTable(model, "t"));
    const found = await run(plan(sql("select t.id from ?? as t where ?", model.table, where)), [], who);
    return found.map(([id]) => id).sort();
  }

  const expected = (all: ReadonlyMap<string, Row>, domains: Domains, when: Condition, who: Principal) =>
    [...all].filter(([, row]) => truth(when, row, domains, who) === true).map(([id]) => id);

  it("of a row's own fields", async () => {
    await fc.assert(
      fc.asyncProperty(condition(thingDomains), principal, async (when, who) => {
        expect(await admitted(things, when, who)).toEqual(expected(rows, thingDomains, when, who).sort());
      }),
      runs(600),
    );
  });

  it("of the row that it belongs to, which is NULL once deleted", async () => {
    await fc.assert(
      fc.asyncProperty(condition(slipDomains), principal, async (when, who) => {
        expect(await admitted(slips, when, who)).toEqual(expected(slipRows, slipDomains, when, who).sort());
      }),
      runs(300),
    );
  });

  it("of a row about to be inserted", async () => {
    const names = insertColumns(things);
    await fc.assert(
      fc.asyncProperty(condition(thingDomains), principal, thing, async (when, who, row) => {
        const made = insertOne(things, models, { kind: "some", when }, ["id"]);
        const inserted = await run(
          made,
          names.map((name) => row[name] ?? null),
          who,
        );
        expect(inserted.length === 1).toBe(truth(when, row, thingDomains, who) === true);
      }),
      runs(200),
    );
  });
});

type Scalar = string | number | boolean | null;
type Row = Readonly<Record<string, Scalar>>;

/** How a field is compared, and the values that rows and conditions hold. */
interface Domain {
  readonly kind: "text" | "int4" | "int8" | "float" | "boolean" | "datetime" | "date" | "uuid";
  readonly values: readonly (string | number | boolean)[];
}

type Domains = Readonly<Record<string, Domain>>;

const builders = { eq, ne, lt, lte, gt, gte, like, ilike };
const signs: Readonly<Record<Exclude<Comparison, "like" | "ilike">, Sign>> = {
  eq: "=",
  ne: "!=",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};
const ordered: Comparison[] = ["eq", "ne", "lt", "lte", "gt", "gte"];
const claims: Known[] = [caller.user_id, caller.role, caller.email];

function operators({ kind }: Domain): Comparison[] {
  if (kind === "boolean" || kind === "uuid") return ["eq", "ne"];
  return kind === "text" ? [...ordered, "like", "ilike"] : ordered;
}

const patterns = ["%", "a%", "%b", "_", "a_", "%\\%", "\\%", "A%", "%c%", "a"];

/** A leaf about one field, as the generator would parse it. */
function leaf(domains: Domains): fc.Arbitrary<Condition> {
  return fc.constantFrom(...Object.keys(domains)).chain((field) => {
    const domain = domains[field] ?? { kind: "text", values: ["a"] };
    const time: Known[] = domain.kind === "datetime" ? [now, now] : [];
    const operand = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom<Known>(...domain.values) },
      { weight: 1, arbitrary: fc.constantFrom<Known>(...claims, ...time) },
    );
    const pattern = fc.oneof(fc.constantFrom<Known>(...patterns), fc.constantFrom(...claims));
    const list = fc.array(operand, { minLength: 1, maxLength: 3 });
    const comparison = fc.constantFrom(...operators(domain)).chain((op) => {
      const value = op === "like" || op === "ilike" ? pattern : operand;
      return value.map((v) => builders[op](field, v));
    });
    const range = fc.tuple(operand, operand).map(([from, to]) => between(field, from, to));
    const isRange = domain.kind !== "boolean" && domain.kind !== "uuid";
    return fc.oneof(
      { weight: 5, arbitrary: comparison },
      { weight: 1, arbitrary: list.map((values) => isIn(field, values)) },
      { weight: 1, arbitrary: list.map((values) => notIn(field, values)) },
      { weight: isRange ? 1 : 0, arbitrary: range },
      { weight: 1, arbitrary: fc.constantFrom(isNull(field), isNotNull(field)) },
    );
  });
}

/** A condition with its and, or and not, some four deep. */
function condition(domains: Domains): fc.Arbitrary<Condition> {
  return fc.letrec<{ tree: Condition }>((tie) => {
    const parts = fc.array(tie("tree"), { minLength: 1, maxLength: 3 });
    return {
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        { weight: 4, arbitrary: leaf(domains) },
        { weight: 2, arbitrary: parts.map((conditions) => and(...conditions)) },
        { weight: 2, arbitrary: parts.map((conditions) => or(...conditions)) },
        { weight: 2, arbitrary: tie("tree").map((inner) => not(inner)) },
      ),
    };
  }).tree;
}

/** Callers with claims of every odd sort. */
const principal: fc.Arbitrary<Principal> = fc.oneof(
  fc.constant({ user_id: null, role: "guest", email: null }),
  fc.record({
    user_id: fc.constantFrom(
      "1",
      "2",
      "abc",
      "9223372036854775808",
      "-1",
      "1e0",
      " 1",
      "2147483648",
      "' or true --",
    ),
    role: fc.constantFrom("a", "b", "%"),
    email: fc.constantFrom("", "%", "a", "a%", "c\\%", "_", "A"),
  }),
);

/** What SQL would say of a row, worked out here. */
function truth(condition: Condition, row: Row, domains: Domains, who: Principal): Truth {
  const of = (inner: Condition) => truth(inner, row, domains, who);
  switch (condition.op) {
    case "and":
      return every(condition.conditions.map(of));
    case "or":
      return negate(every(condition.conditions.map((inner) => negate(of(inner)))));
    case "not":
      return negate(of(condition.condition));
    case "exists":
      throw new Error("no such condition is made here");
    default: {
      const field = String(condition.field);
      const { kind } = domains[field] ?? { kind: "text" };
      const value = comparable(row[field] ?? null, kind);
      return leafTruth(condition, value, (operand) => operandValue(known(operand), kind, who), who);
    }
  }
}

/** These conditions are about one row: no other field, and nothing of the caller but claims. */
type Known = string | number | boolean | Placeholder;

type Leaf = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

function known(operand: Operand): Known {
  if (typeof operand === "object" && !("placeholder" in operand))
    throw new Error("no such operand is made here");
  return operand;
}

function leafTruth(
  leaf: Leaf,
  value: Comparable,
  read: (operand: Operand) => Comparable,
  who: Principal,
): Truth {
  switch (leaf.op) {
    case "is_null":
      return value === null;
    case "is_not_null":
      return value !== null;
    case "in":
      return negate(every(leaf.values.map((item) => negate(compare("=", value, read(item))))));
    case "not_in":
      return every(leaf.values.map((item) => compare("!=", value, read(item))));
    case "contains":
    case "overlaps":
      throw new Error("there are no lists here");
    case "between":
      return every([compare(">=", value, read(leaf.from)), compare("<=", value, read(leaf.to))]);
    case "like":
    case "ilike":
      return matches(value, known(leaf.value), leaf.op === "ilike", who);
    default:
      return compare(signs[leaf.op], value, read(leaf.value));
  }
}

function comparable(value: Scalar, kind: Domain["kind"]): Comparable {
  if (value === null) return null;
  if (kind === "datetime") return Date.parse(String(value));
  return kind === "int8" || kind === "int4" ? BigInt(String(value)) : value;
}

function operandValue(operand: Known, kind: Domain["kind"], who: Principal): Comparable {
  if (typeof operand !== "object") return comparable(operand, kind);
  if (operand.placeholder === "now") return Date.now();
  const claim = who[operand.placeholder];
  if (claim === null || claim === "") return null;
  switch (kind) {
    case "text":
      return claim;
    case "int4":
      return integerOf(claim, 32n);
    case "int8":
      return integerOf(claim, 64n);
    case "float":
      return /^-?[\d.]+(e\d+)?$/.test(claim) ? Number(claim) : null;
    default:
      return null;
  }
}

/** Wildcards of the policy work, those of a claim stand for themselves, and a backslash is itself in both. */
function matches(value: Comparable, operand: Known, ignoreCase: boolean, who: Principal): Truth {
  const literal = typeof operand === "object";
  const pattern = literal
    ? operand.placeholder === "now"
      ? null
      : who[operand.placeholder] || null
    : String(operand);
  return isLike(value === null ? null : String(value), pattern, { ignoreCase, literal });
}
