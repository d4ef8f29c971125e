import { change } from "./change.ts";
import { addedColumns, changedColumns, droppedColumns } from "./columns.ts";
import * as constraints from "./constraints.ts";
import { compared, type Pair } from "./pairs.ts";
import { renameSteps, type TableRename } from "./renames.ts";
import type { Change, Step, Table } from "./schema.ts";

/**
 * The changes that turn one set of tables into another, in the order in which they can run: first all that goes, under
 * its former name and foreign keys before what they refer to, then renames, and then all that comes.
 */
export function differences(
  before: readonly Table[],
  after: readonly Table[],
  renames: readonly TableRename[],
): Change[] {
  const { pairs, created, dropped } = compared(before, after, renames);
  const ties = constraints.tiesOf(pairs);
  const empty = created.map((now) => ({ old: bare(now), now }));
  return [
    ...pairs.flatMap((pair) => constraints.droppedForeignKeys(pair, ties)),
    ...mutualForeignKeys(dropped),
    ...dropped.map(({ name }) => change({ step: "drop_table", table: name }, "destructive")),
    ...pairs.flatMap((pair) => constraints.droppedChecks(pair, ties)),
    ...pairs.flatMap((pair) => constraints.droppedIndexes(pair, ties)),
    ...pairs.flatMap(droppedColumns),
    ...renameSteps(withoutLost(renames, pairs), after).map((step) => change(step, "additive")),
    ...created.map((table) => change(createTable(table), "additive")),
    ...pairs.flatMap(addedColumns),
    ...pairs.flatMap(changedColumns),
    ...[...empty, ...pairs].flatMap((pair) => constraints.addedIndexes(pair, ties)),
    ...[...empty, ...pairs].flatMap((pair) => constraints.addedChecks(pair, ties)),
    ...[...empty, ...pairs].flatMap((pair) => constraints.addedForeignKeys(pair, ties)),
  ];
}

function createTable({ model, name: table, columns, primaryKey }: Table): Step {
  const named = model === table ? {} : { model };
  return {
    step: "create_table",
    table,
    ...named,
    columns,
    ...(primaryKey === undefined ? {} : { primaryKey }),
  };
}

/** A table of which no row has been written yet. */
function bare(table: Table): Table {
  return { ...table, columns: [], indexes: [], foreignKeys: [], checks: [] };
}

/** A column whose values are lost is dropped under its former name, and made under the new one. */
function withoutLost(renames: readonly TableRename[], pairs: readonly Pair[]): TableRename[] {
  const lost = new Map(pairs.map((pair) => [pair.was.name, pair.lost]));
  return renames.map(({ from, to, columns }) => ({
    from,
    to,
    columns: new Map([...columns].filter(([column]) => lost.get(from)?.has(column) !== true)),
  }));
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
