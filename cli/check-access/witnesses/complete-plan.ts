import type { ForeignKeyDefinition, RelationDefinition } from "#generator/definition/definition";
import { withColumnNames } from "#vocabulary/conditions/check-tree";
import { uuidOf, valueRulesOf } from "./candidate-values.ts";
import { Impossible } from "./choices.ts";
import { type Cell, fix, type PlannedRow, RowPlan, uniqueKeysOf } from "./row-plan.ts";
import { type Search, solveValues } from "./solve-values.ts";
import { needsValue, storedRow, storeRows, valuesOf } from "./stored-rows.ts";
import type { WitnessWorld } from "./witness.ts";

/**
 * Adds to a plan all rows that its rows refer to, and gives every column that must have a value its value. Throws `Impossible`.
 * `isFresh`: rows that must not be an existing row with the same unique key.
 */
export async function completePlan(
  search: Search,
  isFresh: (row: PlannedRow) => boolean = () => false,
  making: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { plan } = search;
  await findExisting(search, isFresh);
  const completed = new Set<PlannedRow>();
  for (let row = nextOf(plan, completed); row !== undefined; row = nextOf(plan, completed)) {
    completed.add(row);
    await addParents(row, search, making);
    await findExisting(search, isFresh);
  }
  for (const row of plan.rows.filter(isMade)) addOwnValues(row, search);
  await solveValues(search);
}

const isMade = ({ standing }: PlannedRow) => standing === "new" || standing === "record";

function nextOf({ rows }: RowPlan, completed: ReadonlySet<PlannedRow>): PlannedRow | undefined {
  return rows.find((row) => isMade(row) && !completed.has(row));
}

/** Rows whose unique key is known can exist. The plan then uses the existing row. */
async function findExisting(
  { plan, connection, world }: Search,
  isFresh: (row: PlannedRow) => boolean,
): Promise<void> {
  plan.mergeSameRows();
  for (const row of plan.rows.filter(({ standing }) => standing === "new")) {
    const model = world.models.get(row.model.key);
    if (row.same !== null || isFresh(row) || model === undefined) continue;
    for (const key of uniqueKeysOf(row.model)) {
      const known = key.map((column): [string, string | null | undefined] => [
        column,
        row.cells.get(column)?.group.value,
      ]);
      const values = known.flatMap(([column, value]): [string, string][] =>
        value == null ? [] : [[column, value]],
      );
      if (values.length < key.length || row.standing !== "new") continue;
      const stored = await storedRow(connection, model, new Map(values));
      if (stored === null) continue;
      row.standing = "existing";
      row.stored = stored;
      for (const cell of row.cells.values()) fix(cell, stored.get(cell.column) ?? null);
      plan.mergeSameRows();
    }
  }
}

/** Adds the rows to which the foreign keys of a row lead. */
async function addParents(row: PlannedRow, search: Search, making: ReadonlySet<string>): Promise<void> {
  const { plan } = search;
  for (const { name, nullable, foreignKey } of row.model.fields) {
    if (foreignKey === null) continue;
    const known = row.cells.get(name)?.group;
    if (known === undefined ? nullable : known.value === null) continue;
    const relation = relationOf(name, foreignKey);
    const isUnique = uniqueKeysOf(row.model).some((fields) => fields.includes(name));
    const isUser = foreignKey.model === "users" && known?.value !== undefined;
    if (known === undefined && !isUnique)
      fix(plan.cell(row, name), await sharedValue(foreignKey, search, new Set([...making, row.model.key])));
    else if (!isUser) plan.related(row, relation);
  }
}

function relationOf(field: string, { model, column }: ForeignKeyDefinition): RelationDefinition {
  return { name: field, kind: "belongs_to", field, model, references: column };
}

/** The value of a foreign key that leads to a row which witnesses share. */
async function sharedValue(
  { model, column }: ForeignKeyDefinition,
  search: Search,
  making: ReadonlySet<string>,
): Promise<string | null> {
  const { world, connection } = search;
  const known = world.shared.get(model);
  if (known !== undefined) return known.get(column) ?? null;
  if (making.has(model)) throw new Impossible(`a row of ${model} needs another row of ${model}`);
  const plan = new RowPlan(world);
  const row = plan.addRow(model, "new");
  plan.cell(row, column);
  await completePlan({ ...search, plan }, undefined, new Set([...making, model]));
  await storeRows(connection, plan.rows, world);
  const values = valuesOf(row, world);
  world.shared.set(model, values);
  return values.get(column) ?? null;
}

/** The id of a row, its required fields, and the checks of its model. */
function addOwnValues(row: PlannedRow, { plan, world }: Search): void {
  const { columns, fields } = row.model;
  const id = columns.id === null ? null : plan.cell(row, "id");
  // Conditions can choose an id that is a text.
  if (id !== null && id.kind !== "string" && id.group.value === undefined) fix(id, newId(id, world));
  for (const field of fields) if (id === null || needsValue(field)) plan.cell(row, field.name);
  for (const name of ["created_at", "updated_at"] as const)
    if (columns[name]?.nullable === false && columns[name].described) plan.cell(row, name);
  for (const { name, condition, text } of row.model.checks) {
    const named = withColumnNames(condition, (column) => plan.cell(row, column).name);
    plan.conditions.push({ condition: named, text, check: name });
  }
}

/** An id that no row has, and no sequence gives soon. It fits the columns that refer to it. */
function newId(id: Cell, world: WitnessWorld): string {
  if (id.kind === "uuid") return uuidOf(world);
  const number = world.nextNumber();
  const fields = world.definition.models.flatMap((model) => model.fields);
  const referring = fields.filter(({ foreignKey }) => foreignKey?.model === id.row.model.key);
  const limits = [valueRulesOf(id), ...referring].map(({ maximum }) => Number(maximum ?? number));
  const most = Math.min(...limits);
  return String(number <= most ? number : most - (number % 10_000));
}
