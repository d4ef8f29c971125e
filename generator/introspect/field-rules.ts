import { compareNumbers, decimalText, int64Text } from "../../vocabulary/fields/exact-numbers.ts";
import { elementKindOf, isExactKind } from "../../vocabulary/fields/field-kinds.ts";
import type { CatalogConstraint } from "../../vocabulary/migrations/catalog.ts";
import { checkType, type ValueRules } from "../definition/values.ts";
import { type Draft, type DraftColumn, fieldOf } from "./draft.ts";
import { parseExpression, type SqlExpression } from "./expression.ts";
import type { Remark } from "./remarks.ts";

/** The rules of fields that follow from checks and types of a table. */
export interface AdoptedRules {
  readonly enums: ReadonlyMap<DraftColumn, EnumRule>;
  readonly minimum: ReadonlyMap<DraftColumn, number | string>;
  readonly maximum: ReadonlyMap<DraftColumn, number | string>;
  readonly remarks: readonly Remark[];
}

export interface EnumRule {
  readonly oneOf: readonly (string | number)[];
  /** Name of the check constraint; null if the column has an enum type. */
  readonly check: string | null;
}

/** Reads the enum types and the check constraints of a table. Skips columns that refer to another table, which have its values. */
export function fieldRulesOf(draft: Draft, refers: (column: DraftColumn) => boolean): AdoptedRules {
  const { source, columns } = draft;
  const found: Found = { enums: new Map(), minimum: new Map(), maximum: new Map() };
  for (const column of columns) {
    const { enumValues } = column.source;
    if (column.place === "field" && enumValues !== null && !refers(column))
      found.enums.set(column, { oneOf: enumValues, check: null });
  }
  const remarks = source.constraints
    .filter(({ kind }) => kind === "check")
    .flatMap((constraint): Remark[] => {
      const { name, columns: names, definition } = constraint;
      const field = names.length === 1 ? fieldOf(draft, names[0] ?? "") : null;
      const outcome = field === null || refers(field) ? staysInDatabase : readCheck(constraint, field, found);
      const what = `check ${name} ${definition.replace(/^CHECK /, "")}`;
      return outcome === null ? [] : [{ table: source.name, what, outcome }];
    });
  return { ...found, remarks };
}

interface Found {
  readonly enums: Map<DraftColumn, EnumRule>;
  readonly minimum: Map<DraftColumn, number | string>;
  readonly maximum: Map<DraftColumn, number | string>;
}

const staysInDatabase = "it stays only in the database";

/** Adds the rules of a check. Returns the outcome for the user, or null if the field expresses the whole check. */
function readCheck(
  { name, columns, definition, validated, enforced }: CatalogConstraint,
  field: DraftColumn,
  { enums, minimum, maximum }: Found,
): string | null {
  const rule = enforced ? fieldRuleOf(definition, columns[0] ?? "", field.type) : null;
  if (rule === null) return staysInDatabase;
  if (!("oneOf" in rule)) {
    narrow(minimum, field, rule.minimum, "minimum");
    narrow(maximum, field, rule.maximum, "maximum");
    return "it stays in the database, and the field has its bounds";
  }
  if (!validated || enums.has(field) || !fits(rule, field)) return staysInDatabase;
  enums.set(field, { oneOf: rule.oneOf, check: name });
  return null;
}

function fits(rule: FieldRule, { type }: DraftColumn): boolean {
  return (
    "oneOf" in rule &&
    rule.oneOf.every(
      (value) => typeof value !== "string" || type.maxLength === null || [...value].length <= type.maxLength,
    )
  );
}

function narrow(
  bounds: Map<DraftColumn, number | string>,
  field: DraftColumn,
  value: number | string | null,
  side: "minimum" | "maximum",
): void {
  const former = bounds.get(field);
  if (value !== null) bounds.set(field, former === undefined ? value : tighter(former, value, side));
}

/** The part of a check constraint that a field can express. Exact numbers are strings. */
type FieldRule =
  | { readonly oneOf: readonly (string | number)[] }
  | { readonly minimum: number | string | null; readonly maximum: number | string | null };

type Field = Pick<ValueRules, "kind" | "decimal">;

/** Reads `CHECK (…)` of one column; null if a field cannot express exactly the same. */
function fieldRuleOf(definition: string, column: string, field: Field): FieldRule | null {
  const text = /^CHECK \((.*)\)$/s.exec(definition)?.[1];
  const expression = text === undefined ? null : parseExpression(text);
  if (expression === null) return null;
  const element = elementKindOf(field.kind);
  const values = allowed(expression, column, element === null ? "=" : "<@");
  if (values !== null) return oneOf(values, { ...field, kind: element ?? field.kind });
  const parts = expression.is === "and" ? expression.parts : [expression];
  const bounds = parts.map((part) => bound(part, column, field));
  const sides = new Set(bounds.map((one) => one?.side));
  if (sides.has(undefined) || sides.size < bounds.length) return null;
  const at = (side: Bound["side"]) => bounds.find((one) => one?.side === side)?.value ?? null;
  return { minimum: at("minimum"), maximum: at("maximum") };
}

type Value = Extract<SqlExpression, { is: "value" }>["value"];

/** The allowed values of a column, or of the elements of its lists. */
function allowed(expression: SqlExpression, column: string, op: "=" | "<@"): Value[] | null {
  if (expression.is === "or" && op === "=") {
    const parts = expression.parts.map((part) => allowed(part, column, op));
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
  }
  if (expression.is !== "comparison" || expression.op !== op || !isColumn(expression.left, column))
    return null;
  const { right } = expression;
  const values = right.is === "list" ? right.values : [right];
  return values.every((value) => value.is === "value") ? values.map((value) => value.value) : null;
}

function oneOf(values: readonly Value[], { kind, decimal }: Field): FieldRule | null {
  const found = new Set<string | number>();
  for (const value of values) {
    const number = kind === "integer" || kind === "float" ? numberOf(value) : value;
    const checked = number === null ? null : checkType({ kind, decimal }, number);
    if (checked === null || "problem" in checked) return null;
    if (typeof checked.value !== "string" && typeof checked.value !== "number") return null;
    found.add(checked.value);
  }
  return { oneOf: [...found] };
}

interface Bound {
  readonly side: "minimum" | "maximum";
  readonly value: number | string;
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function bound(expression: SqlExpression, column: string, field: Field): Bound | null {
  if (expression.is !== "comparison") return null;
  const { left, right } = expression;
  const turned = isColumn(right, column);
  const op = turned ? mirrored[expression.op] : expression.op;
  const side = turned ? left : right;
  if (side.is !== "value" || !(turned || isColumn(left, column))) return null;
  const value = boundValue(side.value, field);
  if (value === null) return null;
  if (op === ">=") return { side: "minimum", value };
  if (op === "<=") return { side: "maximum", value };
  if (op !== ">" && op !== "<") return null;
  const next = beyond(value, op === ">" ? 1 : -1, field);
  return next === null ? null : { side: op === ">" ? "minimum" : "maximum", value: next };
}

function boundValue(value: Value, { kind, decimal }: Field): number | string | null {
  if (kind === "integer" || kind === "float") return numberOf(value);
  return isExactKind(kind) ? exactText(value, decimal) : null;
}

function exactText(value: Value, decimal: Field["decimal"]): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  return decimal === null ? int64Text(value) : decimalText(value, decimal);
}

/** The next number after an exclusive bound; null for floats, which have no next number. */
function beyond(value: number | string, by: 1 | -1, { kind, decimal }: Field): number | string | null {
  if (typeof value === "number") return kind === "integer" && Number.isInteger(value) ? value + by : null;
  const scale = decimal?.scale ?? 0;
  const units = BigInt(value.replace(".", "")) + BigInt(by);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return exactText(`${units < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${fraction}`}`, decimal);
}

/** The tighter one of two bounds. */
function tighter(one: number | string, other: number | string, side: Bound["side"]): number | string {
  const difference =
    typeof one === "number" && typeof other === "number"
      ? one - other
      : compareNumbers(String(one), String(other));
  return difference > 0 === (side === "minimum") ? one : other;
}

function isColumn(expression: SqlExpression, name: string): boolean {
  return expression.is === "column" && expression.name === name;
}

function numberOf(value: Value): number | null {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
