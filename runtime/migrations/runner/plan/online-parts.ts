import {
  type Check,
  type Column,
  checkWithColumnNames,
  columnsOfCheck,
  type Step,
} from "../../../../vocabulary/migrations/migration-steps.ts";
import { sqlBeside, sqlName, sqlTable } from "../steps/quoting.ts";
import { checkToSql, indexToSql, stepToSql, withViolationCount } from "../steps/steps-to-sql.ts";
import type { FormerNames } from "./former-names.ts";
import type { Undo } from "./undo.ts";

/** The statements of a step on a table that is in use. */
export interface StepParts {
  readonly ahead?: string;
  readonly online?: string;
  readonly main?: readonly string[];
  readonly undo?: Undo;
  /** The leftovers to drop before `online` is retried. */
  readonly cleanup?: string;
  readonly finalName?: string;
}

/** The parts of a step; null if it runs only in the main transaction. */
export function partsOf(step: Step, temporary: string, names: FormerNames): StepParts | null {
  switch (step.step) {
    case "create_table":
      if (!names.isFreeTable(step)) return null;
      return { ahead: stepToSql(step), undo: { drop: "table", table: step.table, name: step.table } };
    case "add_column":
      return addedColumn(step, names);
    case "add_index":
      return addedIndex(step, temporary, names);
    case "add_check":
      return addedCheck(step, temporary, names);
    case "add_foreign_key":
      return addedForeignKey(step, temporary, names);
    case "set_nullable":
      return step.nullable ? null : required(step, temporary, names);
    default:
      return null;
  }
}

type StepOf<Name extends Step["step"]> = Extract<Step, { readonly step: Name }>;

function addedColumn(step: StepOf<"add_column">, names: FormerNames): StepParts | null {
  const table = names.table(step.table);
  if (table === null || !isQuick(step.column) || !names.isFreeColumn(step.table, step.column.name))
    return null;
  return {
    ahead: stepToSql({ ...step, table }),
    undo: { drop: "column", table, name: step.column.name },
  };
}

/** Whether PostgreSQL adds the column without rewriting rows, and older versions can still insert. */
function isQuick({ nullable, default: value }: Column): boolean {
  return value === undefined
    ? nullable
    : value === "now" || (typeof value === "object" && "literal" in value);
}

function addedIndex(
  { table, index }: StepOf<"add_index">,
  temporary: string,
  names: FormerNames,
): StepParts | null {
  const former = names.table(table);
  const columns = names.columns(table, index.columns);
  const deletedAt = index.liveColumn ?? "deleted_at";
  const isMarked = !index.live || names.column(table, deletedAt) === deletedAt;
  if (former === null || columns === null || !isMarked) return null;
  if (names.isNew(table)) {
    if (!names.isFreeIndex(index.name)) return null;
    return { ahead: `create ${indexToSql(former, { ...index, columns })}` };
  }
  return {
    online: `create ${indexToSql(former, { ...index, columns, name: temporary }, "concurrently ")}`,
    main: [`alter index ${sqlBeside(former, temporary)} rename to ${sqlName(index.name)}`],
    undo: { drop: "index", table: former, name: temporary },
    // Concurrently, so that it blocks no other client.
    cleanup: `drop index concurrently if exists ${sqlBeside(former, temporary)}`,
    finalName: index.name,
  };
}

function addedCheck(step: StepOf<"add_check">, temporary: string, names: FormerNames): StepParts | null {
  const columns = columnsOfCheck(step.check);
  if (names.columns(step.table, columns) === null) return null;
  const formerly = (column: string) => names.column(step.table, column) ?? column;
  const check = { ...checkWithColumnNames(step.check, formerly), name: temporary };
  return constraint({ ...step, check }, step.check.name, temporary, names);
}

function addedForeignKey(
  step: StepOf<"add_foreign_key">,
  temporary: string,
  names: FormerNames,
): StepParts | null {
  const { column, references } = step.foreignKey;
  const former = names.column(step.table, column);
  const target = {
    table: names.table(references.table),
    column: names.column(references.table, references.column),
  };
  if (former === null || target.table === null || target.column === null) return null;
  if (!names.isKey(references.table, references.column)) return null;
  const foreignKey = {
    ...step.foreignKey,
    name: temporary,
    column: former,
    references: { table: target.table, column: target.column },
  };
  return constraint({ ...step, foreignKey }, step.foreignKey.name, temporary, names);
}

/** A constraint on a table that can have rows. The step has the temporary name and former columns. */
function constraint(
  step: StepOf<"add_check" | "add_foreign_key">,
  finalName: string,
  temporary: string,
  names: FormerNames,
): StepParts | null {
  const table = names.table(step.table);
  if (table === null || names.isNew(step.table)) return null;
  const there = { ...step, table };
  const added = there.step === "add_check" ? checkToSql(there) : stepToSql(there);
  const check = there.step === "add_check" ? there.check : null;
  const rename: Step = { step: "rename_constraint", table: step.table, name: temporary, to: finalName };
  return {
    ...validated(table, `${added} not valid`, temporary, check),
    main: [stepToSql(rename)],
    finalName,
  };
}

/** PostgreSQL does not scan the table for `SET NOT NULL` if a valid check proves it. */
function required(step: StepOf<"set_nullable">, temporary: string, names: FormerNames): StepParts | null {
  const table = names.table(step.table);
  const column = names.column(step.table, step.column);
  if (table === null || column === null || names.isNew(step.table)) return null;
  const check = `constraint ${sqlName(temporary)} check (${sqlName(column)} is not null)`;
  return {
    ...validated(table, `alter table ${sqlTable(table)} add ${check} not valid`, temporary),
    main: [stepToSql(step), stepToSql({ step: "drop_check", table: step.table, name: temporary })],
    finalName: `${step.column} is not null`,
  };
}

function validated(table: string, ahead: string, temporary: string, check: Check | null = null): StepParts {
  const validation = `alter table ${sqlTable(table)} validate constraint ${sqlName(temporary)}`;
  return {
    ahead,
    online: check === null ? validation : withViolationCount(table, check, validation),
    undo: { drop: "constraint", table, name: temporary },
  };
}
