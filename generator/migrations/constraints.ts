import { isDeepStrictEqual } from "node:util";
import { columnsOfCondition, withColumnNames } from "../../vocabulary/conditions/check-tree.ts";
import { numberText } from "../../vocabulary/fields/exact-numbers.ts";
import { elementTypeOf, familyOf } from "../../vocabulary/migrations/catalog.ts";
import { checkSql } from "../../vocabulary/migrations/check-sql.ts";
import type {
  Check,
  ConditionCheck,
  ForeignKey,
  Index,
  ValuesCheck,
} from "../../vocabulary/migrations/migration-steps.ts";
import { canFail } from "../conditions/index.ts";
import { type ComparedTable, placeBefore, type TablePair } from "./compare-tables.ts";
import { type Consequence, consequences } from "./consequences.ts";
import { numberTypes } from "./number-conversion.ts";
import { plannedChange } from "./planned-change.ts";
import type { RecreatedParts } from "./recreated-parts.ts";
import type { PlannedChange, StepClass, Table } from "./schema.ts";

export function droppedForeignKeys({ was, old, now }: ComparedTable, ties: RecreatedParts): PlannedChange[] {
  const gone = changed(old.foreignKeys, now.foreignKeys, (key) => ties.foreignKey(key, now));
  return gone.map((key) =>
    plannedChange(
      { step: "drop_foreign_key", table: was.name, name: key.name },
      dropClass(key, now.foreignKeys),
    ),
  );
}

export function droppedChecks({ was, old, now }: ComparedTable, ties: RecreatedParts): PlannedChange[] {
  const gone = changed(old.checks, now.checks, (check) => ties.check(check, now));
  return gone.map((check) =>
    plannedChange({ step: "drop_check", table: was.name, name: check.name }, dropClass(check, now.checks)),
  );
}

export function droppedIndexes({ was, old, now }: ComparedTable, ties: RecreatedParts): PlannedChange[] {
  const gone = changed(old.indexes, now.indexes, (index) => ties.index(index, now));
  return gone.map((index) => {
    const step = { step: "drop_index", table: was.name, name: index.name } as const;
    const breaksOlder = index.unique && !upsertStillFindsKey(index, now.indexes);
    return plannedChange(step, dropClass(index, now.indexes), undefined, { breaksOlder });
  });
}

/** Whether an upsert of older code still finds a unique index on the columns of its key. */
function upsertStillFindsKey(key: Index, indexes: readonly Index[]): boolean {
  const columns = new Set(key.columns);
  return indexes.some(
    (index) =>
      index.unique &&
      (!index.live || key.live) &&
      index.columns.length === columns.size &&
      index.columns.every((column) => columns.has(column)),
  );
}

/** A part that is created again, possibly under another name, allows no new values when it is dropped. */
function dropClass<Part extends { readonly name: string }>(part: Part, now: readonly Part[]): StepClass {
  return now.some((other) => isSamePart({ ...other, name: part.name }, part)) ? "additive" : "widening";
}

export function addedIndexes(pair: TablePair, ties: RecreatedParts): PlannedChange[] {
  const { old, now } = pair;
  return changed(now.indexes, old.indexes, (index) => ties.index(index, now)).map((index) =>
    plannedChange({ step: "add_index", table: now.name, index }, ...indexClass(pair, index)),
  );
}

type Verdict = [StepClass, Consequence?];

function indexClass(pair: TablePair, index: Index): Verdict {
  const { old, now } = pair;
  if (!index.unique || old.columns.length === 0) return ["additive"];
  const within = (columns: readonly string[]) => columns.every((column) => index.columns.includes(column));
  const former =
    old.indexes.some(({ unique, live, columns }) => unique && (!live || index.live) && within(columns)) ||
    (old.primaryKey !== undefined && within(old.primaryKey.columns));
  if (former && index.columns.every((column) => holds(old, column))) return ["additive"];
  // Existing rows have NULL in a new column, and NULLs are distinct.
  const harmless = index.columns.some((column) => !holds(old, column) && !hasDefault(now, column));
  if (harmless) return ["additive"];
  if (!index.columns.every((column) => holds(old, column)))
    return ["destructive", consequences.uniqueDefault(index.columns)];
  const places = index.columns.map((column) => placeBefore(pair, column));
  return ["destructive", consequences.unique(places, index.live && holds(old, "deleted_at"))];
}

export function addedChecks(pair: TablePair, ties: RecreatedParts): PlannedChange[] {
  const { old, now } = pair;
  return changed(now.checks, old.checks, (check) => ties.check(check, now)).map((check) =>
    plannedChange({ step: "add_check", table: now.name, check }, ...checkClass(pair, check)),
  );
}

function checkClass(pair: TablePair, check: Check): Verdict {
  return "condition" in check ? conditionClass(pair, check) : valuesClass(pair, check);
}

/** Existing rows can break a check, unless an equal check exists or a new column is NULL in all of them. */
function conditionClass(pair: TablePair, check: ConditionCheck): Verdict {
  const { old, now } = pair;
  if (
    old.columns.length === 0 ||
    old.checks.some((other) => isSamePart({ ...other, name: check.name }, check))
  )
    return ["additive"];
  const columns = columnsOfCondition(check.condition);
  const fresh = columns.filter((column) => !holds(old, column));
  const isNull = (column: string) => !holds(old, column) && !hasDefault(now, column);
  if (!canFail(check.condition, isNull)) return ["additive"];
  if (fresh.length > 0) return ["destructive", consequences.brokenDefault(fresh)];
  const formerly = withColumnNames(check.condition, (column) => placeBefore(pair, column).column);
  return ["destructive", consequences.broken(pair.was?.name ?? now.name, checkSql(formerly))];
}

/** Existing rows can have other values, unless the column is new or the former check allowed no others. */
function valuesClass(pair: TablePair, check: ValuesCheck): Verdict {
  const { old, now } = pair;
  const { column: of } = check;
  if (!holds(old, of)) return ["additive"];
  const held = old.checks.filter((other) => "column" in other).find(({ column }) => column === of);
  const areNumbers = [old, now].every((table) => isNumber(table, of));
  const values = (oneOf: ValuesCheck["oneOf"]) => new Set(areNumbers ? oneOf.map(plainNumber) : oneOf);
  const [former, next] = [values(held?.oneOf ?? []), values(check.oneOf)];
  if (held !== undefined && [...former].every((value) => next.has(value)))
    return [former.size === next.size ? "additive" : "widening"];
  return ["destructive", consequences.oneOf(placeBefore(pair, of), check, held?.oneOf ?? null)];
}

function isNumber({ columns }: Table, column: string): boolean {
  const type = columns.find(({ name }) => name === column)?.type ?? "";
  return numberTypes.includes(familyOf(elementTypeOf(type) ?? type));
}

/** `1.50` and 1.5 are the same number. */
function plainNumber(value: string | number): string | number {
  const text = numberText(value);
  return text?.includes(".") ? text.replace(/\.?0+$/, "") : (text ?? value);
}

/** `all` are the possible targets of foreign keys. */
export function addedForeignKeys(
  pair: TablePair,
  ties: RecreatedParts,
  all: readonly TablePair[],
): PlannedChange[] {
  const { old, now } = pair;
  return changed(now.foreignKeys, old.foreignKeys, (key) => ties.foreignKey(key, now)).map((foreignKey) =>
    plannedChange(
      { step: "add_foreign_key", table: now.name, foreignKey },
      ...keyClass(pair, foreignKey, all),
    ),
  );
}

function keyClass(pair: TablePair, foreignKey: ForeignKey, all: readonly TablePair[]): Verdict {
  const { old, now } = pair;
  const { column, references } = foreignKey;
  if (!holds(old, column) && !(old.columns.length > 0 && hasDefault(now, column))) return ["additive"];
  const former = old.foreignKeys.some(
    (key) => key.column === column && isDeepStrictEqual(key.references, references),
  );
  if (former && holds(old, column)) return ["additive"];
  const target = all.find((other) => other.now.name === references.table);
  const there = target !== undefined && holds(target.old, references.column);
  const found = there ? placeBefore(target, references.column) : null;
  return ["destructive", consequences.refer(placeBefore(pair, column), references.table, found)];
}

function holds(table: Table, column: string): boolean {
  return table.columns.some(({ name }) => name === column);
}

function hasDefault(table: Table, column: string): boolean {
  return table.columns.some((other) => other.name === column && other.default !== undefined);
}

/** Parts that the other list does not have in the same form, and parts that must be created again. */
function changed<Part extends { readonly name: string }>(
  parts: readonly Part[],
  others: readonly Part[],
  tied: (part: Part) => boolean,
): Part[] {
  // Names are not enough: a renamed part can take the name of a dropped one.
  return parts.filter((part) => tied(part) || !others.some((other) => isSamePart(part, other)));
}

/** Whether two parts of a table are equal. */
export function isSamePart(one: object, other: object): boolean {
  return isDeepStrictEqual(sorted(one), sorted(other));
}

/** The order of the values of a check does not matter. */
function sorted(part: object): object {
  return "oneOf" in part && Array.isArray(part.oneOf) ? { ...part, oneOf: new Set(part.oneOf) } : part;
}
