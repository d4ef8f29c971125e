import { isDeepStrictEqual } from "node:util";
import { change, typeClass } from "./change.ts";
import { renamed, renameSteps, type TableRename } from "./renames.ts";
import type { Change, Check, Column, Step, StepClass, Table } from "./schema.ts";

/** A table that stands on both sides of a comparison. */
interface Pair {
  readonly old: Table;
  readonly now: Table;
}

/**
 * The changes that turn one set of tables into another, in the order in which they can run: renames, then what must
 * go before something new takes its name, tables, columns, indexes, checks, foreign keys, and at last what is dropped.
 */
export function differences(
  before: readonly Table[],
  after: readonly Table[],
  renames: readonly TableRename[],
): Change[] {
  const base = renamed(before, renames);
  const known = new Map(base.map((table) => [table.name, table]));
  const wanted = new Set(after.map((table) => table.name));
  const created = after.filter((table) => !known.has(table.name));
  const dropped = base.filter((table) => !wanted.has(table.name));
  const pairs = after.flatMap((now): Pair[] => {
    const old = known.get(now.name);
    return old === undefined ? [] : [{ old, now }];
  });
  const empty = created.map((now): Pair => ({ old: bare(now), now }));
  return [
    ...renameSteps(renames).map((step) => change(step, "additive")),
    ...pairs.flatMap(removedConstraints),
    ...mutualForeignKeys(dropped),
    ...created.map(({ name, columns }) => change({ step: "create_table", table: name, columns }, "additive")),
    ...pairs.flatMap(addedColumns),
    ...pairs.flatMap(changedColumns),
    ...[...empty, ...pairs].flatMap(addedIndexes),
    ...[...empty, ...pairs].flatMap(addedChecks),
    ...[...empty, ...pairs].flatMap(addedForeignKeys),
    ...pairs.flatMap(droppedColumns),
    ...dropped.map(({ name }) => change({ step: "drop_table", table: name }, "destructive")),
  ];
}

/** A table of which no row has been written yet. */
function bare(table: Table): Table {
  return { ...table, columns: [], indexes: [], foreignKeys: [], checks: [] };
}

/** Those of one list that the other does not hold in the same form. */
function missing<Part extends { readonly name: string }>(
  parts: readonly Part[],
  from: readonly Part[],
): Part[] {
  const others = new Map(from.map((part) => [part.name, part]));
  return parts.filter((part) => !isDeepStrictEqual(part, others.get(part.name)));
}

function named<Part extends { readonly name: string }>(
  parts: readonly Part[],
  name: string,
): Part | undefined {
  return parts.find((part) => part.name === name);
}

function removedConstraints({ old, now }: Pair): Change[] {
  const table = now.name;
  const drop = <Part extends { readonly name: string }>(
    step: "drop_foreign_key" | "drop_check" | "drop_index",
    before: readonly Part[],
    after: readonly Part[],
  ) =>
    missing(before, after).map((part) => {
      const renamed = after.some((other) => isDeepStrictEqual({ ...other, name: part.name }, part));
      return change({ step, table, name: part.name }, renamed ? "additive" : "widening");
    });
  return [
    ...drop("drop_foreign_key", old.foreignKeys, now.foreignKeys),
    ...drop("drop_check", old.checks, now.checks),
    ...drop("drop_index", old.indexes, now.indexes),
  ];
}

/** Tables that refer to each other cannot be dropped one after the other while their foreign keys stand. */
function mutualForeignKeys(dropped: readonly Table[]): Change[] {
  const names = new Set(dropped.map((table) => table.name));
  return dropped.flatMap(({ name: table, foreignKeys }) =>
    foreignKeys
      .filter(({ references }) => references.table !== table && names.has(references.table))
      .map(({ name }) => change({ step: "drop_foreign_key", table, name }, "widening")),
  );
}

function addedColumns({ old, now }: Pair): Change[] {
  return now.columns
    .filter((column) => named(old.columns, column.name) === undefined)
    .map((column) => {
      // Rows that are there already have no value for it.
      const fails = !column.nullable && column.default === undefined;
      return change({ step: "add_column", table: now.name, column }, fails ? "destructive" : "additive");
    });
}

function changedColumns({ old, now }: Pair): Change[] {
  return now.columns.flatMap((column) => {
    const former = named(old.columns, column.name);
    return former === undefined ? [] : columnChanges(now.name, former, column);
  });
}

function columnChanges(table: string, old: Column, now: Column): Change[] {
  const at = { table, column: now.name };
  const retyped = old.type !== now.type;
  const redefault = !isDeepStrictEqual(old.default, now.default);
  const changes: Change[] = [];
  const setDefault = (type: Column["type"], value: Column["default"]) =>
    changes.push(change({ step: "set_default", ...at, type, default: value ?? null }, "widening"));
  if (retyped) {
    // A default of the old type would stand in the way of the new one.
    if (old.default !== undefined) setDefault(old.type, undefined);
    changes.push(change({ step: "set_type", ...at, type: now.type }, typeClass(old.type, now.type)));
  }
  if (retyped ? now.default !== undefined : redefault) setDefault(now.type, now.default);
  if (old.nullable !== now.nullable) {
    const step: Step = { step: "set_nullable", ...at, nullable: now.nullable };
    changes.push(change(step, now.nullable ? "widening" : "destructive"));
  }
  return changes;
}

function addedIndexes({ old, now }: Pair): Change[] {
  return missing(now.indexes, old.indexes).map((index) =>
    change({ step: "add_index", table: now.name, index }, "additive"),
  );
}

function addedChecks({ old, now }: Pair): Change[] {
  return missing(now.checks, old.checks).map((check) =>
    change({ step: "add_check", table: now.name, check }, checkClass(old, check)),
  );
}

/** Rows may hold values that a check refuses, unless its column is new or took no other values before. */
function checkClass(old: Table, check: Check): StepClass {
  if (named(old.columns, check.column) === undefined) return "additive";
  const former = old.checks.find(({ column }) => column === check.column)?.oneOf;
  if (former === undefined || !former.every((value) => check.oneOf.includes(value))) return "destructive";
  return former.length === check.oneOf.length ? "additive" : "widening";
}

function addedForeignKeys({ old, now }: Pair): Change[] {
  return missing(now.foreignKeys, old.foreignKeys).map((foreignKey) =>
    change({ step: "add_foreign_key", table: now.name, foreignKey }, "additive"),
  );
}

function droppedColumns({ old, now }: Pair): Change[] {
  return old.columns
    .filter((column) => named(now.columns, column.name) === undefined)
    .map(({ name: column }) => change({ step: "drop_column", table: now.name, column }, "destructive"));
}
