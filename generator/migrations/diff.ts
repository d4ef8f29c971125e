import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import { addedColumns, changedColumns, droppedColumns } from "./column-changes.ts";
import { type ComparedTable, compareTables } from "./compare-tables.ts";
import { consequences } from "./consequences.ts";
import * as constraints from "./constraints.ts";
import { changedEnumValues, withEnumStep } from "./enum-values.ts";
import type { IdChange } from "./id-types.ts";
import { nameConstraints, nameIndexes } from "./part-renames.ts";
import { plannedChange } from "./planned-change.ts";
import { addedPrimaryKeys, droppedPrimaryKeys, recreatedParts } from "./recreated-parts.ts";
import { renameSteps, type TableRename } from "./renames.ts";
import type { PlannedChange, Table } from "./schema.ts";

/**
 * The changes from one schema to another, in an order that can run: values of enum types, then drops under former names, foreign keys before their
 * targets; then renames; then additions.
 */
export function differences(
  before: readonly Table[],
  after: readonly Table[],
  renames: readonly TableRename[],
): PlannedChange[] {
  const enums = changedEnumValues(before, after);
  const renamedValues = enums.reduce((tables, { step }) => withEnumStep(tables, step), before);
  const { pairs: plain, created, dropped, ids } = compareTables(renamedValues, after, renames);
  const indexes = nameIndexes(plain, recreatedParts(plain, ids));
  const ties = recreatedParts(indexes.pairs, ids);
  const { pairs, steps: constraintNames } = nameConstraints(indexes.pairs, ties);
  const names = [...renameSteps(withoutLost(renames, pairs), after), ...indexes.steps, ...constraintNames];
  const all = [...created.map((now) => ({ old: bare(now), now })), ...pairs];
  return [
    ...enums,
    ...pairs.flatMap((pair) => constraints.droppedForeignKeys(pair, ties)),
    ...mutualForeignKeys(dropped),
    ...dropped.map(dropTable),
    ...pairs.flatMap((pair) => constraints.droppedChecks(pair, ties)),
    ...pairs.flatMap((pair) => constraints.droppedIndexes(pair, ties)),
    ...pairs.flatMap(droppedPrimaryKeys),
    ...pairs.flatMap(droppedColumns),
    ...names.map((step) => plannedChange(step, "additive")),
    ...created.map((table) => plannedChange(createTable(table), "additive")),
    ...ids.map(setIdType),
    ...pairs.flatMap(addedColumns),
    ...pairs.flatMap(changedColumns),
    ...pairs.flatMap(addedPrimaryKeys),
    ...all.flatMap((pair) => constraints.addedIndexes(pair, ties)),
    ...all.flatMap((pair) => constraints.addedChecks(pair, ties)),
    ...all.flatMap((pair) => constraints.addedForeignKeys(pair, ties, all)),
  ];
}

function dropTable({ name: table }: Table): PlannedChange {
  return plannedChange({ step: "drop_table", table }, "destructive", consequences.dropTable(table));
}

function setIdType(ids: IdChange): PlannedChange {
  const followers = ids.references.map(({ table, column }) => `${table}.${column}`);
  const consequence = consequences.newIds(ids.table, followers);
  return plannedChange({ step: "set_id_type", ...ids }, "destructive", consequence, { rewrites: true });
}

export function createTable({ model, name: table, columns, primaryKey, found }: Table): Step {
  const named = model === table ? {} : { model };
  return {
    step: "create_table",
    table,
    ...named,
    columns,
    ...(primaryKey === undefined ? {} : { primaryKey }),
    ...(found === undefined ? {} : { found }),
  };
}

/** An empty table with the same name, as the former side of a new table. */
function bare(table: Table): Table {
  return { ...table, columns: [], indexes: [], foreignKeys: [], checks: [] };
}

/** Without the columns whose values are lost: they are dropped under the former name and created under the new one. */
function withoutLost(renames: readonly TableRename[], pairs: readonly ComparedTable[]): TableRename[] {
  const lost = new Map(pairs.map((pair) => [pair.was.name, pair.lost]));
  return renames.map(({ from, to, columns }) => ({
    from,
    to,
    columns: new Map([...columns].filter(([column]) => lost.get(from)?.has(column) !== true)),
  }));
}

/** Foreign keys between dropped tables. They must be dropped first, because such tables can refer to each other. */
function mutualForeignKeys(dropped: readonly Table[]): PlannedChange[] {
  const names = new Set(dropped.map((table) => table.name));
  return dropped.flatMap(({ name: table, foreignKeys }) =>
    foreignKeys
      .filter(({ references }) => references.table !== table && names.has(references.table))
      .map(({ name }) => plannedChange({ step: "drop_foreign_key", table, name }, "widening")),
  );
}
