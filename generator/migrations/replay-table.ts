import { type Column, columnsOfCheck, type Step } from "../../vocabulary/migrations/migration-steps.ts";
import { HistoryError } from "./history-error.ts";
import type { Table } from "./schema.ts";

/** Steps of one kind. */
export type StepOf<Name extends Step["step"]> = Extract<Step, { readonly step: Name }>;

/** A step and its table, for messages. */
export type StepTarget = Pick<Step, "step" | "table">;

/** The column that a step is about. Throws a HistoryError if it does not exist. */
export function existingColumn(step: StepTarget & { readonly column: string }, { columns }: Table): Column {
  const column = columns.find(({ name }) => name === step.column);
  if (column === undefined)
    throw new HistoryError(`${step.step}: there is no column ${step.table}.${step.column} by then`);
  return column;
}

type TableStep = Exclude<
  Step,
  StepOf<"create_table" | "drop_table" | "rename_table" | "rename_column" | "set_id_type">
>;

/** A table after a step that concerns only it. */
export function changedTable(step: TableStep, table: Table): Table {
  switch (step.step) {
    case "add_column":
      return { ...table, columns: [...table.columns, step.column] };
    case "drop_column":
      return withoutColumn(table, existingColumn(step, table).name);
    case "set_type":
    case "set_nullable":
    case "set_default":
      existingColumn(step, table);
      return withColumn(table, step.column, (column) => changedColumn(step, column));
    case "drop_primary_key":
      return withoutPrimaryKey(table);
    case "add_primary_key": {
      const { primaryKey } = step;
      const usual = primaryKey.columns.length === 1 && primaryKey.columns[0] === "id";
      return usual ? withoutPrimaryKey(table) : { ...table, primaryKey };
    }
    default:
      return changedParts(step, table);
  }
}

function changedColumn(step: StepOf<"set_type" | "set_nullable" | "set_default">, column: Column): Column {
  if (step.step === "set_type") return { ...column, type: step.type };
  if (step.step === "set_nullable") return { ...column, nullable: step.nullable };
  const { default: _, ...rest } = column;
  return step.default === null ? rest : { ...rest, default: step.default };
}

/** A table with one column changed. */
export function withColumn(table: Table, name: string, change: (column: Column) => Column): Table {
  return {
    ...table,
    columns: table.columns.map((column) => (column.name === name ? change(column) : column)),
  };
}

/** A table of which nothing is stated has its `id` for a primary key. */
function withoutPrimaryKey({ primaryKey: _, ...table }: Table): Table {
  return table;
}

/** PostgreSQL drops with a column what it takes part in. */
function withoutColumn(table: Table, name: string): Table {
  return {
    ...table,
    columns: table.columns.filter((column) => column.name !== name),
    indexes: table.indexes.filter(({ columns }) => !columns.includes(name)),
    foreignKeys: table.foreignKeys.filter(({ column }) => column !== name),
    checks: table.checks.filter((check) => !columnsOfCheck(check).includes(name)),
  };
}

type PartStep = Exclude<
  TableStep,
  StepOf<
    | "add_column"
    | "drop_column"
    | "set_type"
    | "set_nullable"
    | "set_default"
    | "drop_primary_key"
    | "add_primary_key"
  >
>;

/** A table with other indexes or constraints. */
function changedParts(step: PartStep, table: Table): Table {
  const { indexes, foreignKeys, checks } = table;
  switch (step.step) {
    case "add_index":
      return { ...table, indexes: [...indexes, step.index] };
    case "drop_index":
      return { ...table, indexes: without(step, indexes) };
    case "rename_index":
      return { ...table, indexes: underNewName(step, indexes) };
    case "add_foreign_key":
      return { ...table, foreignKeys: [...foreignKeys, step.foreignKey] };
    case "drop_foreign_key":
      return { ...table, foreignKeys: without(step, foreignKeys) };
    case "add_check":
      return { ...table, checks: [...checks, step.check] };
    case "drop_check":
      return { ...table, checks: without(step, checks) };
    case "rename_constraint":
      return withRenamedConstraint(step, table);
  }
}

interface Named {
  readonly name: string;
}
type NamedStep = StepTarget & Named;

function without<Part extends Named>(step: NamedStep, parts: readonly Part[]): Part[] {
  const rest = parts.filter(({ name }) => name !== step.name);
  if (rest.length === parts.length) throw unknownPart(step);
  return rest;
}

function underNewName<Part extends Named>(
  step: NamedStep & { readonly to: string },
  parts: readonly Part[],
): Part[] {
  if (!parts.some(({ name }) => name === step.name)) throw unknownPart(step);
  return parts.map((part) => (part.name === step.name ? { ...part, name: step.to } : part));
}

function withRenamedConstraint(step: StepOf<"rename_constraint">, table: Table): Table {
  const { primaryKey, foreignKeys, checks } = table;
  if (primaryKey?.name === step.name) return { ...table, primaryKey: { ...primaryKey, name: step.to } };
  if (foreignKeys.some(({ name }) => name === step.name))
    return { ...table, foreignKeys: underNewName(step, foreignKeys) };
  // The usual primary key has a name, too, which no schema holds.
  return checks.some(({ name }) => name === step.name)
    ? { ...table, checks: underNewName(step, checks) }
    : table;
}

function unknownPart({ step, table, name }: NamedStep): HistoryError {
  return new HistoryError(`${step}: ${table} has no ${name} by then`);
}
