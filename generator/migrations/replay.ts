import {
  type Column,
  columnsOfCheck,
  type PrimaryKey,
  type Step,
} from "../../vocabulary/migrations/migration-steps.ts";
import { withEnumStep } from "./enum-values.ts";
import { HistoryError } from "./history-error.ts";
import { renamed, withNewNames } from "./renames.ts";
import type { Table } from "./schema.ts";

/** Applies steps to tables. Throws a HistoryError if a step does not fit the tables. */
export function replay(steps: readonly Step[], from: readonly Table[] = []): Table[] {
  const tables = new Map(from.map((table) => [table.name, table]));
  for (const step of steps) apply(step, tables);
  return [...tables.values()];
}

function apply(step: Step, tables: Map<string, Table>): void {
  switch (step.step) {
    case "create_table":
      if (tables.has(step.table))
        throw new HistoryError(
          `${step.step}: the table ${step.table} exists already at this point (if it is a table of the service, the migration that ` +
            "renames the app's table is missing: restore it)",
        );
      tables.set(step.table, createdTable(step));
      break;
    case "drop_table":
      tables.delete(existingTable(step, tables).name);
      break;
    case "rename_table":
      renameTable(step, tables);
      break;
    case "rename_column":
      renameColumn(step, tables);
      break;
    case "set_id_type":
      setIdType(step, tables);
      break;
    case "add_enum_value":
    case "rename_enum_value":
      existingTable(step, tables);
      replaceAll(tables, withEnumStep([...tables.values()], step));
      break;
    default:
      tables.set(step.table, changedTable(step, existingTable(step, tables)));
  }
}

function createdTable({ table, model, columns, primaryKey, found }: StepOf<"create_table">): Table {
  const parts = { columns, indexes: [], foreignKeys: [], checks: [] };
  return {
    model: model ?? table,
    name: table,
    ...(found === undefined ? {} : { found }),
    ...(primaryKey === undefined ? {} : { primaryKey }),
    ...parts,
  };
}

function existingTable(step: StepTarget, tables: ReadonlyMap<string, Table>): Table {
  const table = tables.get(step.table);
  if (table === undefined)
    throw new HistoryError(`${step.step}: the table ${step.table} does not exist at this point`);
  return table;
}

function renameTable(step: StepOf<"rename_table">, tables: Map<string, Table>): void {
  existingTable(step, tables);
  replaceAll(tables, withNewNames([...tables.values()], new Map([[step.table, step.to]])));
  const model = step.model ?? step.to;
  tables.set(step.to, { ...existingTable({ step: step.step, table: step.to }, tables), model });
}

function renameColumn(step: StepOf<"rename_column">, tables: Map<string, Table>): void {
  const { name } = existingTable(step, tables);
  existingColumn(step, existingTable(step, tables));
  const columns = new Map([[step.column, step.to]]);
  replaceAll(tables, renamed([...tables.values()], [{ from: name, to: name, columns }]));
}

/** Keeps the order of the tables. */
function replaceAll(tables: Map<string, Table>, list: readonly Table[]): void {
  tables.clear();
  for (const table of list) tables.set(table.name, table);
}

function setIdType(step: StepOf<"set_id_type">, tables: Map<string, Table>): void {
  const id = step.type === "uuid" ? ("random_uuid" as const) : ("identity" as const);
  const retype = (place: StepTarget & { readonly column: string }, parts: Partial<Column>) => {
    const table = existingTable(place, tables);
    existingColumn(place, table);
    tables.set(
      table.name,
      withColumn(table, place.column, (column) => ({ ...column, ...parts })),
    );
  };
  retype({ ...step, column: "id" }, { type: step.type, default: id });
  for (const { table, column } of step.references)
    retype({ step: step.step, table, column }, { type: step.type });
}

/** Steps of one kind. */
type StepOf<Name extends Step["step"]> = Extract<Step, { readonly step: Name }>;

/** A step and its table, for messages. */
type StepTarget = Pick<Step, "step" | "table">;

/** The column that a step is about. Throws a HistoryError if it does not exist. */
function existingColumn(step: StepTarget & { readonly column: string }, { columns }: Table): Column {
  const column = columns.find(({ name }) => name === step.column);
  if (column === undefined)
    throw new HistoryError(
      `${step.step}: the column ${step.table}.${step.column} does not exist at this point`,
    );
  return column;
}

type TableStep = Exclude<
  Step,
  StepOf<
    | "create_table"
    | "drop_table"
    | "rename_table"
    | "rename_column"
    | "set_id_type"
    | "add_enum_value"
    | "rename_enum_value"
  >
>;

/** Applies a step that changes only one table. */
function changedTable(step: TableStep, table: Table): Table {
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
      const usual = isUsual(primaryKey, table);
      return usual ? withoutPrimaryKey(table) : { ...table, primaryKey };
    }
    default:
      return changedParts(step, table);
  }
}

function changedColumn(step: StepOf<"set_type" | "set_nullable" | "set_default">, column: Column): Column {
  if (step.step === "set_type") return withType(column, step);
  if (step.step === "set_nullable") return { ...column, nullable: step.nullable };
  const { default: _, ...rest } = column;
  return step.default === null ? rest : { ...rest, default: step.default };
}

function withType({ values: _, ...column }: Column, { type, values }: StepOf<"set_type">): Column {
  return { ...column, type, ...(values === undefined ? {} : { values }) };
}

/** A table with one column changed. */
function withColumn(table: Table, name: string, change: (column: Column) => Column): Table {
  return {
    ...table,
    columns: table.columns.map((column) => (column.name === name ? change(column) : column)),
  };
}

function isUsual({ columns }: PrimaryKey, { found }: Table): boolean {
  return found !== true && columns.length === 1 && columns[0] === "id";
}

/** A table without `primaryKey` has `id` as its primary key. */
function withoutPrimaryKey({ primaryKey: _, ...table }: Table): Table {
  return table;
}

/** Like PostgreSQL, drops a column with its indexes and constraints. */
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
  // The name of a primary key `id` is not part of the schema.
  return checks.some(({ name }) => name === step.name)
    ? { ...table, checks: underNewName(step, checks) }
    : table;
}

function unknownPart({ step, table, name }: NamedStep): HistoryError {
  return new HistoryError(`${step}: ${table} has no ${name} at this point`);
}
