import type { Step } from "../../../vocabulary/migration-steps.ts";
import type { FormerNames } from "./former-names.ts";
import type { Parts, TableLock } from "./parts.ts";

/** The tables that a step locks when it is done ahead. */
export function locksAhead(step: Step, place: number, names: FormerNames): TableLock[] {
  if (step.step === "create_table") return [];
  return step.step === "add_foreign_key"
    ? shared([step.table, step.foreignKey.references.table], place, names)
    : exclusive(step.table, place, names);
}

/** The tables that a step locks in the main transaction; `part` is null where nothing of it was prepared. */
export function locksInMain(step: Step, part: Parts | null, place: number, names: FormerNames): TableLock[] {
  const isPrepared = part !== null;
  switch (step.step) {
    case "create_table":
    case "rename_index":
      return [];
    case "add_index":
      return isPrepared ? [] : shared([step.table], place, names);
    case "add_foreign_key":
      if (isPrepared) break;
      return shared([step.table, step.foreignKey.references.table], place, names);
    case "drop_table":
      return exclusive(step.table, place, names, "all");
    case "drop_foreign_key":
      return exclusive(step.table, place, names, { name: step.name });
    case "drop_column":
    case "set_type":
      return exclusive(step.table, place, names, { column: names.column(step.table, step.column) });
    case "set_id_type":
      return [step, ...step.references].flatMap(({ table }) => exclusive(table, place, names));
  }
  return isPrepared && part.main === undefined ? [] : exclusive(step.table, place, names);
}

function exclusive(table: string, step: number, names: FormerNames, keys?: TableLock["keys"]): TableLock[] {
  const former = names.isNew(table) ? null : names.table(table);
  if (former === null) return [];
  return [{ step, table: former, mode: "access exclusive", ...(keys === undefined ? {} : { keys }) }];
}

function shared(tables: readonly string[], step: number, names: FormerNames): TableLock[] {
  return tables
    .flatMap((table) => exclusive(table, step, names))
    .map((lock) => ({ ...lock, mode: "share row exclusive" }));
}
