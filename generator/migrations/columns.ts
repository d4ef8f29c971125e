import { isDeepStrictEqual } from "node:util";
import { change } from "./change.ts";
import { typeClass } from "./conversion.ts";
import type { Pair } from "./pairs.ts";
import type { Change, Column, Step } from "./schema.ts";

const deletedRowsReturn =
  "deleted rows become visible again, since nothing marks them any more; delete them for good first";

/** Columns that go, under their former names. */
export function droppedColumns({ was, kept, lost }: Pair): Change[] {
  return was.columns
    .filter(({ name }) => !kept.has(name))
    .map(({ name: column }) => {
      const why = lost.get(column) ?? (column === "deleted_at" ? deletedRowsReturn : undefined);
      return change({ step: "drop_column", table: was.name, column }, "destructive", why);
    });
}

/** Columns that come, those whose values are lost included. */
export function addedColumns({ old, now }: Pair): Change[] {
  return now.columns
    .filter(({ name }) => !old.columns.some((former) => former.name === name))
    .map((column) => {
      // Rows that are there already have no value for it.
      const fails = !column.nullable && column.default === undefined;
      const step: Step = { step: "add_column", table: now.name, column: column };
      return change(step, fails ? "destructive" : "additive");
    });
}

/** Columns that stay under their names, and change. */
export function changedColumns({ old, now }: Pair): Change[] {
  return now.columns.flatMap((column) => {
    const former = old.columns.find(({ name }) => name === column.name);
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
