import type { CheckCondition } from "../../vocabulary/conditions/check-tree.ts";
import { comparisonSigns } from "../../vocabulary/conditions/conditions.ts";
import type { FoundObject } from "../../vocabulary/migrations/found-objects.ts";
import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { Snapshot, Table } from "./schema.ts";

type Test = (value: unknown) => boolean;

/** Whether data has the shape of `schema.json`. A shallow check, because Kirak wrote the file: it only prevents a crash. */
export function isSnapshot(data: unknown): data is Snapshot {
  return has(data, { migration: isNameOrNull, tables: each(isTable) });
}

/** The content of a migration file. */
export interface MigrationData {
  readonly name: string;
  readonly parent: string | null;
  readonly up: readonly Step[];
  readonly down: readonly Step[];
  /** The objects of the database that it describes. */
  readonly found?: readonly FoundObject[];
}

/** Whether data is a migration with known steps. */
export function isMigrationData(data: unknown): data is MigrationData {
  return has(data, {
    name: isText,
    parent: isNameOrNull,
    up: each(isStep),
    down: each(isStep),
    found: (value) => value === undefined || each(isFoundObject)(value),
  });
}

function isTable(data: unknown): data is Table {
  return has(data, {
    model: isText,
    name: isText,
    columns: each(isColumn),
    indexes: each(isIndex),
    foreignKeys: each(isForeignKey),
    checks: each(isCheck),
  });
}

const isFoundObject: Test = (value) =>
  has(value, { table: isText, kind: isText, name: isText, digest: isText });
const isNameOrNull: Test = (value) => value === null || isText(value);
const isText: Test = (value) => typeof value === "string";
const isFlag: Test = (value) => typeof value === "boolean";
const isValue: Test = (value) => isText(value) || typeof value === "number";
const isLiteral: Test = (value) => isValue(value) || typeof value === "boolean";
const isAnything: Test = () => true;
const isColumn = shape({ name: isText, type: isText, nullable: isFlag });
const isMethod: Test = (value) => value === undefined || value === "gin";
const isTextOrAbsent: Test = (value) => value === undefined || isText(value);
const isIndex = shape({
  name: isText,
  columns: each(isText),
  unique: isFlag,
  live: isFlag,
  method: isMethod,
});
const isPlace = shape({ table: isText, column: isText });
const isForeignKey = shape({ name: isText, column: isText, references: isPlace, onDelete: isText });
const isValuesCheck = shape({
  name: isText,
  column: isText,
  oneOf: each(isValue),
  elements: isTextOrAbsent,
});
const isConditionCheck = shape({ name: isText, condition: isCondition });
const isCheck: Test = (data) => isValuesCheck(data) || isConditionCheck(data);

/** The properties of each step besides its table. */
const stepParts: Readonly<Record<Step["step"], Readonly<Record<string, Test>>>> = {
  create_table: { columns: each(isColumn) },
  drop_table: {},
  add_column: { column: isColumn },
  drop_column: { column: isText },
  rename_table: { to: isText },
  rename_column: { column: isText, to: isText },
  set_type: { column: isText, type: isText, from: isTextOrAbsent },
  set_nullable: { column: isText, nullable: isFlag },
  set_default: { column: isText, default: isAnything },
  set_id_type: { type: isText, references: each(isPlace) },
  drop_primary_key: { name: isText },
  add_primary_key: { primaryKey: shape({ name: isText, columns: each(isText) }) },
  add_index: { index: isIndex },
  drop_index: { name: isText },
  rename_index: { name: isText, to: isText },
  rename_constraint: { name: isText, to: isText },
  add_foreign_key: { foreignKey: isForeignKey },
  drop_foreign_key: { name: isText },
  add_check: { check: isCheck },
  drop_check: { name: isText },
  add_enum_value: { type: isText, value: isText, place: isAnything },
  rename_enum_value: { type: isText, value: isText, to: isText },
};

const tests = new Map(Object.entries(stepParts));

/** Whether data is the condition of a check. A shallow check, because Kirak wrote it. */
export function isCondition(data: unknown): data is CheckCondition {
  if (!has(data, { op: isText })) return false;
  const part = (name: string): unknown => Reflect.get(Object(data), name);
  switch (part("op")) {
    case "and":
    case "or":
      return each(isCondition)(part("conditions"));
    case "not":
      return isCondition(part("condition"));
    case "in":
    case "not_in":
    case "overlaps":
      return isText(part("field")) && each(isLiteral)(part("values"));
    case "between":
      return isText(part("field")) && isLiteral(part("from")) && isLiteral(part("to"));
    case "contains":
      return isText(part("field")) && isLiteral(part("value"));
    case "is_null":
    case "is_not_null":
      return isText(part("field"));
    default:
      return Object.hasOwn(comparisonSigns, String(part("op"))) && isComparison(part("field"), part("value"));
  }
}

function isComparison(field: unknown, value: unknown): boolean {
  return isText(field) && (isLiteral(value) || has(value, { field: isText }));
}

function isStep(data: unknown): data is Step {
  const parts = has(data, { step: isText, table: isText })
    ? tests.get(Reflect.get(Object(data), "step"))
    : undefined;
  return parts !== undefined && has(data, parts);
}

function shape(parts: Readonly<Record<string, Test>>): Test {
  return (data) => has(data, parts);
}

function has(data: unknown, parts: Readonly<Record<string, Test>>): boolean {
  if (typeof data !== "object" || data === null) return false;
  return Object.entries(parts).every(([name, test]) => test(Reflect.get(data, name)));
}

function each(test: Test): Test {
  return (value) => Array.isArray(value) && value.every(test);
}
