import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileCondition, type ScopeModel } from "#generator/conditions/index";
import { conditionCode, conditionText } from "#generator/emit/views/condition-view";
import * as access from "#runtime/models/access/index";
import {
  type Comparison,
  type Condition,
  type Operand,
  type Subject,
  timeUnits,
  type Value,
} from "#vocabulary/conditions/conditions";
import { areComparable, elementKindOf, type FieldKind, fieldKinds } from "#vocabulary/fields/field-kinds";
import { scopeOf } from "../scope-of-models.ts";
import { tracker } from "../tracker.ts";

// Random conditions over the models of a tracker, with every form of the language. Printed as the matrix prints them, or as the
// policies do, they read as themselves.

const root = scopeOf(tracker, "projects");
const units = Object.keys(timeUnits).filter((unit): unit is keyof typeof timeUnits => unit in timeUnits);

/** Draws one of some things. */
interface Draw {
  from<T>(things: readonly T[]): T;
  integer(min: number, max: number): number;
  text(): string;
}

/** Where a piece stands, and how much may still be written. */
interface Standing {
  readonly at: ScopeModel;
  readonly depth: number;
  readonly budget: { relations: number };
}

interface Column {
  readonly subject: Subject;
  readonly kind: FieldKind;
  readonly enum: readonly (string | number)[] | null;
}

function pathOf(draw: Draw, standing: Standing, kinds: readonly string[], least: number) {
  const fromItself = standing.depth > 0 && draw.integer(0, 3) === 0;
  let end = fromItself ? root : standing.at;
  const names = fromItself ? ["this"] : [];
  const length = Math.min(standing.budget.relations, draw.integer(least, 3));
  for (let index = 0; index < length; index++) {
    const relations = [...new Set(end.relations.values())].filter(({ kind }) => kinds.includes(kind));
    if (relations.length === 0) break;
    const relation = draw.from(relations);
    standing.budget.relations--;
    names.push(relation.name);
    end = relation.target;
  }
  return { names, end };
}

function columnOf(draw: Draw, standing: Standing): Column {
  if (draw.integer(0, 5) === 0) {
    const [name, { kind, enum: values }] = draw.from([...root.caller.allowed]);
    return { subject: { user: name }, kind: kind ?? "string", enum: values };
  }
  const { names, end } = pathOf(draw, standing, ["belongs_to", "has_one"], 0);
  const columns = [...end.columns].filter(([, { kind }]) => kind !== "password");
  const [name, { kind, enum: values }] = draw.from(columns);
  return { subject: [...names, name].join("."), kind: kind ?? "string", enum: values };
}

function literalOf(draw: Draw, { kind, enum: values }: Column): Value {
  if (values !== null) return draw.from(values);
  if (kind === "boolean") return draw.from([true, false]);
  if (kind === "integer" || kind === "bigint") return draw.integer(-5, 5);
  if (kind === "int64") return draw.from(["0", "-9007199254740993"]);
  if (kind === "decimal") return draw.from(["0.00", "12.50"]);
  if (kind === "time") return draw.from(["00:00:00.000", "23:59:59.999"]);
  if (kind === "float") return draw.integer(-50, 50) / 8;
  if (kind === "date") return draw.from(["2025-01-31", "1999-12-01"]);
  if (kind === "datetime") return draw.from(["2025-01-31T12:00:00.000Z", "2025-01-31T12:00:00.123456Z"]);
  return kind === "uuid" ? "6f9619ff-8b86-d011-b42d-00c04fc964ff" : draw.text();
}

function operandOf(draw: Draw, column: Column): Value {
  const { placeholders } = fieldKinds[column.kind];
  const alike = [...root.caller.allowed].filter(
    ([, { kind }]) => kind !== null && areComparable(kind, column.kind),
  );
  const choice = draw.integer(0, 5);
  if (choice === 0 && alike.length > 0 && typeof column.subject === "string")
    return { user: draw.from(alike)[0] };
  if (choice > 2 || placeholders.length === 0) return literalOf(draw, column);
  const placeholder = draw.from(placeholders);
  if (placeholder !== "now") return { placeholder };
  const offset = { amount: draw.integer(-90, 90), unit: draw.from(units) };
  return draw.integer(0, 1) === 0 ? { placeholder } : { placeholder, offset };
}

const equality: readonly Comparison[] = ["eq", "ne"];
const order: readonly Comparison[] = [...equality, "lt", "lte", "gt", "gte"];

function leaf(draw: Draw, standing: Standing): Condition {
  const column = columnOf(draw, standing);
  const { subject: field, kind } = column;
  const { compared } = fieldKinds[kind];
  if (compared === "for null" || draw.integer(0, 7) === 0)
    return { op: draw.from(["is_null", "is_not_null"] as const), field };
  const element = elementKindOf(kind);
  const value = () => operandOf(draw, element === null ? column : { ...column, kind: element });
  if (element !== null)
    return draw.integer(0, 1) === 0
      ? { op: "contains", field, value: value() }
      : { op: "overlaps", field, values: [value(), value()] };
  const ordered = compared === "in order" || compared === "as text";
  const other = typeof field === "string" && draw.integer(0, 2) === 0 ? columnOf(draw, standing) : null;
  if (other !== null && typeof other.subject === "string" && areComparable(other.kind, kind)) {
    const operand: Operand = { field: other.subject };
    return { op: draw.from(kind === "boolean" ? equality : order), field, value: operand };
  }
  const choice = draw.integer(0, 4);
  if (choice === 0) return { op: draw.from(["in", "not_in"] as const), field, values: [value(), value()] };
  if (choice === 1 && ordered) return { op: "between", field, from: value(), to: value() };
  if (choice === 2 && compared === "as text")
    return {
      op: draw.from(["like", "ilike"] as const),
      field,
      value: draw.from<Value>([`%${draw.text()}_`, { placeholder: "role" }, { user: "region" }]),
    };
  return { op: draw.from(ordered ? order : equality), field, value: value() };
}

function condition(draw: Draw, standing: Standing, levels = 3): Condition {
  const choice = levels === 0 ? 9 : draw.integer(0, 9);
  if (choice < 2) return { op: "not", condition: condition(draw, standing, levels - 1) };
  if (choice < 5) {
    const op = draw.from(["and", "or"] as const);
    const parts = [1, 2].map(() => condition(draw, standing, levels - 1));
    return { op, conditions: parts.flatMap((part) => (part.op === op ? part.conditions : [part])) };
  }
  if (choice < 7 && standing.depth < 3 && standing.budget.relations > 0) {
    const { names, end } = pathOf(draw, standing, ["belongs_to", "has_one", "has_many"], 1);
    const where = { ...standing, at: end, depth: standing.depth + 1 };
    const isPath = names.length > (names[0] === "this" ? 1 : 0);
    if (isPath)
      return {
        op: "exists",
        path: names.join("."),
        where: draw.integer(0, 3) === 0 ? null : condition(draw, where, levels - 1),
      };
  }
  return leaf(draw, standing);
}

const conditions = fc.gen().map((gen): Condition => {
  const draw: Draw = {
    from: (things) => {
      const thing = things[gen(fc.nat, { max: things.length - 1 })];
      if (thing === undefined) throw new Error("there is nothing to choose from");
      return thing;
    },
    integer: (min, max) => gen(fc.integer, { min, max }),
    text: () => gen(fc.stringMatching, /^[A-Za-z0-9 '(){}=.%\\-]{0,8}$/),
  };
  return condition(draw, { at: root, depth: 0, budget: { relations: 16 } });
});

describe("a condition that is printed reads as itself", () => {
  test("as the matrix prints it", () => {
    fc.assert(
      fc.property(conditions, (written) => {
        const text = conditionText(written);
        const { condition: read, problems } = compileCondition(text, root);
        expect(problems).toEqual([]);
        expect(read).toEqual(written);
        expect(conditionText(read ?? written)).toBe(text);
      }),
      { seed: 20, numRuns: 1_500 },
    );
  });

  test("as a policy holds it", () => {
    fc.assert(
      fc.property(conditions, (written) => {
        const imports = { builders: new Set<string>(), conditions: new Set<string>() };
        const code = conditionCode(written, imports);
        const names = [...imports.builders];
        const values = names.map((name) => Reflect.get(access, name));
        expect(new Function(...names, `return ${code}`)(...values)).toEqual(written);
      }),
      { seed: 20, numRuns: 500 },
    );
  });

  test("with every form of the language", () => {
    const texts = fc.sample(conditions, { seed: 20, numRuns: 500 }).map(conditionText).join("\n");
    // biome-ignore format: one case a line
    const forms = [
      " = ", " <> ", " <= ", " IN (", " NOT IN (", " BETWEEN ", " CONTAINS ", " OVERLAPS (", " OVERLAPS ({user.", " ILIKE ", " IS NULL",
      " IS NOT NULL",
    ];
    // biome-ignore format: one case a line
    const newForms = [
      "EXISTS (this.", "NOT EXISTS (", " WHERE EXISTS (", " WHERE this.", "now() - interval '", "now() + interval '",
    ];
    // biome-ignore format: many a line
    for (const form of [
      ...forms, ...newForms, "{user_id}", "{user.team_id} = ", " = {user.", "lead.team.name",
      "billing.paid_until",
    ])
      expect(texts).toContain(form);
    expect(texts).toMatch(/ (=|<) [a-z.]+\.id\b/);
  });
});
