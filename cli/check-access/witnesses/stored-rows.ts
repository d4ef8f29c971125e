import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { enumCheckName } from "#generator/definition/names";
import { classifyDatabaseError, type Queryable } from "#runtime/core/database/index";
import { bareColumns, columnList, join, plan, requestValue, sql, tableSql } from "#runtime/data/sql/index";
import { guest } from "#runtime/models/access/index";
import { columnsOf, type Model } from "#runtime/models/index";
import { sampleValue, textOf } from "./candidate-values.ts";
import { Impossible } from "./choices.ts";
import { type Cell, type PlannedRow, settledRow } from "./row-plan.ts";
import type { ColumnTexts, WitnessWorld } from "./witness.ts";

/** Reads the live row with these values of a unique key. Null if it does not exist. */
export async function storedRow(
  connection: Queryable,
  model: Model,
  key: ReadonlyMap<string, string>,
): Promise<ColumnTexts | null> {
  const columns = columnsOf(model);
  const names = [...columns.keys()];
  const column = bareColumns(model);
  const equal = [...key.keys()].map((name, index) =>
    sql("? = ?", column(name), requestValue(index, columns.get(name)?.kind ?? "text")),
  );
  const live = model.softDelete ? sql("and ? is null", column("deleted_at")) : sql(" ");
  const query = sql(
    "select ? from ? where ? ?",
    columnList(names, column),
    tableSql(model),
    join(equal, " and "),
    live,
  );
  const { statement, bind } = plan(query);
  const [row] = await connection.run({ name: null, text: statement.text }, bind([...key.values()], guest));
  return row === undefined ? null : new Map(names.map((name, index) => [name, row[index] ?? null]));
}

/** The values of all columns of a planned row that are not left to the database. */
export function valuesOf(row: PlannedRow, world: WitnessWorld): Map<string, string | null> {
  return new Map([...row.cells.values()].map((cell) => [cell.column, settledValue(cell, world)]));
}

/** Whether a row needs a value of a field, which the database does not fill in. */
export function needsValue({ nullable, default: value }: FieldDefinition): boolean {
  return !nullable && value === undefined;
}

function settledValue({ group, field, kind }: Cell, world: WitnessWorld): string | null {
  if (group.value !== undefined) return group.value;
  const open = field === null || field.nullable ? null : textOf(sampleValue(field, world), kind);
  group.value = open;
  return open;
}

/** Stores the new rows, each after the rows that it refers to. */
export async function storeRows(
  connection: Queryable,
  rows: readonly PlannedRow[],
  world: WitnessWorld,
): Promise<void> {
  const done = new Set<PlannedRow>();
  const store = async (row: PlannedRow): Promise<void> => {
    if (done.has(row) || row.standing !== "new") return;
    done.add(row);
    for (const parent of parentsOf(row)) await store(parent);
    await insertRow(connection, row.model, valuesOf(row, world));
  };
  for (const row of rows) await store(row);
}

function parentsOf(row: PlannedRow): PlannedRow[] {
  return row.model.fields.flatMap(({ name, foreignKey }) => {
    const { cells = [] } = row.cells.get(name)?.group ?? {};
    return cells.flatMap((cell) =>
      cell.column === foreignKey?.column && cell.row.model.key === foreignKey.model
        ? settledRow(cell.row)
        : [],
    );
  });
}

/** Inserts a row. Throws `Impossible` if a constraint refuses it. */
export async function insertRow(
  connection: Queryable,
  model: ModelDefinition,
  values: ColumnTexts,
): Promise<void> {
  const names = [...values.keys()];
  const columns = join(
    names.map((name) => sql("??", name)),
    ", ",
  );
  const text = `insert into ?? (?) values (${names.map((_, index) => `$${index + 1}`).join(", ")})`;
  const { statement } = plan(sql(text, model.table, columns));
  await refusedAsImpossible(model, () =>
    connection.run({ name: null, text: statement.text }, [...values.values()]),
  );
}

/** Turns errors of the database about values into `Impossible`. */
export async function refusedAsImpossible<T>(model: ModelDefinition, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = classifyDatabaseError(error);
    if (failure === null || !(error instanceof Error)) throw error;
    throw new Impossible(refusalText(failure, model) ?? error.message);
  }
}

function refusalText(
  { kind, constraint = "" }: NonNullable<ReturnType<typeof classifyDatabaseError>>,
  { key, table, fields, checks, uniqueKeys }: ModelDefinition,
): string | null {
  if (kind === "excluded") return `conflicts with the constraint ${constraint}`;
  if (kind === "unique") {
    const found = uniqueKeys.find(({ name }) => name === constraint);
    return `conflicts with the unique key ${found === undefined ? constraint : `${key}(${found.fields.join(", ")})`}`;
  }
  if (kind !== "check") return null;
  const field = fields.find(({ name }) => enumCheckName(table, name) === constraint);
  if (field !== undefined) return `conflicts with the enum of ${key}.${field.name}`;
  return `conflicts with the check ${checks.find((one) => one.constraint === constraint)?.name ?? constraint}`;
}
