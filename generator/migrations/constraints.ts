import { isDeepStrictEqual } from "node:util";
import { change } from "./change.ts";
import { type Consequence, consequences } from "./consequences.ts";
import type { Pair } from "./pairs.ts";
import type { Change, Check, ForeignKey, Index, StepClass, Table } from "./schema.ts";
import type { Ties } from "./ties.ts";

export function droppedForeignKeys({ was, old, now }: Pair, ties: Ties): Change[] {
  const gone = changed(old.foreignKeys, now.foreignKeys, (key) => ties.foreignKey(key, now));
  return gone.map((key) =>
    change({ step: "drop_foreign_key", table: was.name, name: key.name }, dropClass(key, now.foreignKeys)),
  );
}

export function droppedChecks({ was, old, now }: Pair, ties: Ties): Change[] {
  const gone = changed(old.checks, now.checks, (check) => ties.check(check, now));
  return gone.map((check) =>
    change({ step: "drop_check", table: was.name, name: check.name }, dropClass(check, now.checks)),
  );
}

export function droppedIndexes({ was, old, now }: Pair, ties: Ties): Change[] {
  const gone = changed(old.indexes, now.indexes, (index) => ties.index(index, now));
  return gone.map((index) =>
    change({ step: "drop_index", table: was.name, name: index.name }, dropClass(index, now.indexes)),
  );
}

/** What comes again under another name, or as it was, lets nothing in. */
function dropClass<Part extends { readonly name: string }>(part: Part, now: readonly Part[]): StepClass {
  return now.some((other) => same({ ...other, name: part.name }, part)) ? "additive" : "widening";
}

/** The two sides of a table, under its new names. */
export type Compared = Pick<Pair, "old" | "now">;

export function addedIndexes({ old, now }: Compared, ties: Ties): Change[] {
  return changed(now.indexes, old.indexes, (index) => ties.index(index, now)).map((index) =>
    change({ step: "add_index", table: now.name, index }, ...indexClass(old, now, index)),
  );
}

type Verdict = [StepClass, Consequence?];

function indexClass(old: Table, now: Table, index: Index): Verdict {
  if (!index.unique || old.columns.length === 0) return ["additive"];
  const within = (columns: readonly string[]) => columns.every((column) => index.columns.includes(column));
  const former =
    old.indexes.some(({ unique, live, columns }) => unique && (!live || index.live) && within(columns)) ||
    (old.primaryKey !== undefined && within(old.primaryKey.columns));
  if (former && index.columns.every((column) => holds(old, column))) return ["additive"];
  // Rows that were there are null in a new column, and nulls are all different.
  const harmless = index.columns.some((column) => !holds(old, column) && !hasDefault(now, column));
  return harmless ? ["additive"] : ["destructive", consequences.unique(now.name, index)];
}

export function addedChecks({ old, now }: Compared, ties: Ties): Change[] {
  return changed(now.checks, old.checks, (check) => ties.check(check, now)).map((check) =>
    change({ step: "add_check", table: now.name, check }, ...checkClass(old, check)),
  );
}

/** Rows may hold values that a check refuses, unless its column is new or took no other values before. */
function checkClass(old: Table, check: Check): Verdict {
  if (!holds(old, check.column)) return ["additive"];
  const former = old.checks.find(({ column }) => column === check.column)?.oneOf;
  if (former === undefined || !former.every((value) => check.oneOf.includes(value)))
    return ["destructive", consequences.oneOf(old.name, check)];
  return [new Set(former).size === new Set(check.oneOf).size ? "additive" : "widening"];
}

export function addedForeignKeys({ old, now }: Compared, ties: Ties): Change[] {
  return changed(now.foreignKeys, old.foreignKeys, (key) => ties.foreignKey(key, now)).map((foreignKey) =>
    change({ step: "add_foreign_key", table: now.name, foreignKey }, ...keyClass(old, now, foreignKey)),
  );
}

function keyClass(old: Table, now: Table, foreignKey: ForeignKey): Verdict {
  const { column, references } = foreignKey;
  if (!holds(old, column) && !(old.columns.length > 0 && hasDefault(now, column))) return ["additive"];
  const former = old.foreignKeys.some(
    (key) => key.column === column && isDeepStrictEqual(key.references, references),
  );
  if (former && holds(old, column)) return ["additive"];
  return ["destructive", consequences.refer(now.name, foreignKey)];
}

function holds(table: Table, column: string): boolean {
  return table.columns.some(({ name }) => name === column);
}

function hasDefault(table: Table, column: string): boolean {
  return table.columns.some((other) => other.name === column && other.default !== undefined);
}

/** Those of one list that the other does not hold in the same form, and those that are tied to a change. */
function changed<Part extends { readonly name: string }>(
  parts: readonly Part[],
  others: readonly Part[],
  tied: (part: Part) => boolean,
): Part[] {
  // Not by name alone: a part that goes may leave its name to one that is renamed.
  return parts.filter((part) => tied(part) || !others.some((other) => same(part, other)));
}

/** Whether two parts of a table are equal. */
export function same(one: object, other: object): boolean {
  return isDeepStrictEqual(sorted(one), sorted(other));
}

/** The values of a check stand in no order. */
function sorted(part: object): object {
  return "oneOf" in part && Array.isArray(part.oneOf) ? { ...part, oneOf: new Set(part.oneOf) } : part;
}
