import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dependsOnCaller, needsIdentity } from "#generator/lint/lint-callers";
import type { Comparison, Condition, Operand, Subject } from "#vocabulary/conditions/conditions";
import { compare, every, negate, type Sign, some, type Truth } from "../../support/three-valued.ts";

type Value = string | number | boolean | null;
type Row = Readonly<Record<string, Value>>;

/** Who calls, and the rows that EXISTS finds below the one at hand. */
interface World {
  readonly caller: { readonly user_id: Value; readonly email: Value; readonly user: Row | null };
  readonly below: readonly Row[];
}

// biome-ignore format: many a line
const signs: Partial<Record<Comparison, Sign>> = {
  eq: "=", ne: "!=", lt: "<", lte: "<=", gt: ">", gte: ">=",
};

function read(operand: Operand | Subject, row: Row, { caller }: World, isSubject = false): Value {
  if (typeof operand === "string" && isSubject) return row[operand] ?? null;
  if (typeof operand !== "object") return operand;
  if ("field" in operand) return row[operand.field] ?? null;
  if ("user" in operand) return caller.user?.[operand.user] ?? null;
  return operand.placeholder === "user_id" ? caller.user_id : caller.email;
}

/** An independent evaluation of a condition, as SQL does it. */
function truth(condition: Condition, row: Row, world: World): Truth {
  const compared = (op: Comparison, left: Subject, right: Operand) =>
    compare(signs[op] ?? "=", read(left, row, world, true), read(right, row, world));
  switch (condition.op) {
    case "and":
      return every(condition.conditions.map((part) => truth(part, row, world)));
    case "or":
      return some(condition.conditions.map((part) => truth(part, row, world)));
    case "not":
      return negate(truth(condition.condition, row, world));
    case "exists": {
      const { where } = condition;
      return world.below.some((other) => where === null || truth(where, other, world) === true);
    }
    case "in":
      return some(condition.values.map((value) => compared("eq", condition.field, value)));
    case "not_in":
      return every(condition.values.map((value) => compared("ne", condition.field, value)));
    case "contains":
    case "overlaps":
      throw new Error("there are no lists here");
    case "between":
      return every([
        compared("gte", condition.field, condition.from),
        compared("lte", condition.field, condition.to),
      ]);
    case "is_null":
      return read(condition.field, row, world, true) === null;
    case "is_not_null":
      return read(condition.field, row, world, true) !== null;
    default:
      return compared(condition.op, condition.field, condition.value);
  }
}

const own = fc.constantFrom<Operand>({ placeholder: "user_id" }, { user: "team" }, { user: "is_active" });
const subject = fc.constantFrom<Subject>(
  "a",
  "b",
  "a",
  { user: "team" },
  { user: "is_active" },
  { user: "role" },
);
const literal = fc.constantFrom<Value & (string | number)>(1, 2, "user", "editor");
const value = fc.oneof(own, literal);
const op = fc.constantFrom<Comparison>("eq", "ne", "lt", "gte");

const { condition } = fc.letrec<{ condition: Condition }>((tie) => {
  const list = fc.array(tie("condition"), { minLength: 1, maxLength: 3 });
  return {
    condition: fc.oneof(
      { maxDepth: 4 },
      fc.record({ op, field: subject, value: fc.oneof(value, fc.constant({ field: "b" })) }),
      fc.record({
        op: fc.constantFrom("in", "not_in"),
        field: subject,
        values: fc.array(value, { minLength: 1 }),
      }),
      fc.record({ op: fc.constant("between"), field: subject, from: value, to: value }),
      fc.record({ op: fc.constantFrom("is_null", "is_not_null"), field: subject }),
      fc.record({ op: fc.constantFrom("and", "or"), conditions: list }),
      fc.record({ op: fc.constant("not"), condition: tie("condition") }),
      fc.record({
        op: fc.constant("exists"),
        path: fc.constant("below"),
        where: fc.option(tie("condition")),
      }),
    ) as fc.Arbitrary<Condition>,
  };
});

const row = fc.record({ a: fc.constantFrom<Value>(1, 2, null), b: fc.constantFrom<Value>(1, 2, null) });
const rows = fc.array(row, { maxLength: 2 });
const guest = fc.constant({ user_id: null, email: null, user: null });
/** No row and no rule names this caller; its columns are those of every new account. */
// biome-ignore format: many a line
const stranger = fc.record({
  user_id: fc.constant(7), email: fc.constant("x@example.com"),
  user: fc.option(fc.record({ team: fc.constant(8), is_active: fc.constantFrom<Value>(1, 2, true), role: fc.constant("user") })),
});

describe.each([
  ["a guest", needsIdentity, guest],
  ["a user who has just registered", dependsOnCaller, stranger],
] as const)("a condition that is reported to exclude %s", (_, closes, callers) => {
  test("holds for no row, for all data", () => {
    fc.assert(
      fc.property(condition, row, rows, callers, (drawn, at, below, caller) => {
        fc.pre(closes(drawn));
        expect(truth(drawn, at, { caller, below })).not.toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

const mine: Condition = { op: "eq", field: "owner_id", value: { placeholder: "user_id" } };
const open: Condition = { op: "eq", field: "status", value: "open" };
const not = (of: Condition): Condition => ({ op: "not", condition: of });
const exists = (where: Condition | null): Condition => ({ op: "exists", path: "members", where });
const column = (user: string, value: string | boolean): Condition => ({ op: "eq", field: { user }, value });

// biome-ignore format: one case a line
test.each<[string, Condition, boolean, boolean]>([
  ["the caller's rows", mine, true, true],
  ["open rows", open, false, false],
  ["both", { op: "and", conditions: [open, mine] }, true, true],
  ["either", { op: "or", conditions: [open, mine] }, false, false],
  ["others' rows", not(mine), true, false],
  ["others' rows, in another way", { ...mine, op: "ne" }, true, false],
  ["not others' rows", not({ ...mine, op: "ne" }), true, true],
  ["members", exists(mine), true, true],
  ["not the members", not(exists(mine)), false, false],
  ["any row below", exists(null), false, false],
  ["a list", { op: "in", field: "owner_id", values: [{ placeholder: "user_id" }, 7] }, false, false],
  ["a list of callers", { op: "in", field: "a", values: [{ placeholder: "user_id" }, { user: "b" }] }, true, true],
  ["a level that is given", column("level", "editor"), true, true],
  ["the role of newly registered users", column("role", "user"), true, false],
  ["another role", column("role", "editor"), true, true],
  ["not the role of newly registered users", { ...column("role", "user"), op: "ne" } as Condition, true, true],
  ["who is active", column("is_active", true), true, false],
  ["without a team", { op: "is_null", field: { user: "team" } }, false, false],
  ["with a team", { op: "is_not_null", field: { user: "team" } }, true, false],
])("%s", (_, of, closedToGuests, closedToStrangers) => {
  expect([needsIdentity(of), dependsOnCaller(of)]).toEqual([closedToGuests, closedToStrangers]);
});
