import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { enumCheckName } from "#generator/definition/names";
import { classifyDatabaseError, type Queryable } from "#runtime/core/database/index";
import { bareColumns, join, plan, requestValue, type Sql, sql, tableSql } from "#runtime/data/sql/index";
import { guest } from "#runtime/models/access/index";
import { columnName, columnsOf, type Model } from "#runtime/models/index";
import { rowIdSql } from "../../conditions/index.ts";
import { sampleValue, textOf, valueRulesOf } from "./candidate-values.ts";
import { Impossible } from "./choices.ts";
import { type Cell, type PlannedRow, settledRow } from "./row-plan.ts";
import { type ColumnTexts, runtimeModel, type WitnessWorld } from "./witness.ts";

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
    sql("? = ?", column(name), requestValue(index, columns.get(name) ?? "text")),
  );
  const live = model.softDelete ? sql("and ? is null", column("deleted_at")) : sql(" ");
  const texts = names.map((name) => sql("?::text", column(name)));
  const where = join(equal, " and ");
  const query = sql("select ? from ? where ? ?", join(texts, ", "), tableSql(model), where, live);
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

function settledValue(cell: Cell, world: WitnessWorld): string | null {
  const { group, kind, nullable } = cell;
  if (group.value === undefined)
    group.value = nullable ? null : textOf(sampleValue(valueRulesOf(cell), world), kind);
  return group.value;
}

/** Stores the new rows, each after the rows that it refers to. Returns their ids. */
export async function storeRows(
  connection: Queryable,
  rows: readonly PlannedRow[],
  world: WitnessWorld,
): Promise<ReadonlyMap<PlannedRow, string>> {
  const done = new Set<PlannedRow>();
  const ids = new Map<PlannedRow, string>();
  const store = async (row: PlannedRow): Promise<void> => {
    if (done.has(row) || row.standing !== "new") return;
    done.add(row);
    for (const parent of parentsOf(row)) await store(parent);
    const model = runtimeModel(world, row.model.key);
    ids.set(row, await insertRow(connection, row.model, model, valuesOf(row, world)));
  };
  for (const row of rows) await store(row);
  return ids;
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

/** Inserts a row into the table of `model`. Returns its id. Throws `Impossible` if a constraint refuses it. */
export async function insertRow(
  connection: Queryable,
  definition: ModelDefinition,
  model: Model,
  values: ColumnTexts,
): Promise<string> {
  const run = (piece: Sql, bound: readonly unknown[]) =>
    connection.run({ name: null, text: plan(piece).statement.text }, bound);
  // Other generated columns have no trigger in this database.
  const computed = await run(computedColumns, [plan(tableSql(model)).statement.text]);
  const stored = new Map([...values].map(([name, value]) => [columnName(model, name), value]));
  for (const [name] of computed) stored.delete(name ?? "");
  const names = [...stored.keys()].map((name) => sql("??", name));
  const bound = names.map((_, index) => `$${index + 1}`).join(", ");
  const text = `insert into ? as t (?) overriding system value values (${bound}) returning ?`;
  const insert = sql(text, tableSql(model), join(names, ", "), rowIdSql(model));
  const [[id] = []] = await refusedAsImpossible(definition, () => run(insert, [...stored.values()]));
  return id ?? "";
}

/** The columns that no insert can set. */
const computedColumns = sql(
  "select attname from pg_attribute where attrelid = $1::regclass and attgenerated <> ''",
);

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
