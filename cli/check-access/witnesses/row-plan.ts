import type { FieldDefinition, ModelDefinition, RelationDefinition } from "#generator/definition/definition";
import { keyField } from "#generator/definition/stored";
import { keysWithId } from "#generator/emit/views/stored-view";
import { requireColumn } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { FieldKind } from "#vocabulary/fields/field-kinds";
import { Impossible } from "./choices.ts";
import { type ColumnTexts, runtimeModel, type WitnessWorld } from "./witness.ts";

/**
 * `new`: will be stored. `record`: will not be stored, a caller sends it. `existing`: is stored. `caller`: the row of the caller in
 * `users`.
 */
export type Standing = "new" | "record" | "existing" | "caller";

/** A row of a plan. */
export interface PlannedRow {
  readonly model: ModelDefinition;
  standing: Standing;
  /** By column. */
  readonly cells: Map<string, Cell>;
  /** Of an existing row. */
  stored: ColumnTexts | null;
  /** The row that this one turned out to be. */
  same: PlannedRow | null;
  /** How many rows were made to make this one. */
  readonly depth: number;
}

/** A column of a planned row. Cells that must be equal are in one group. */
export interface Cell {
  /** Its name in `conditions`. */
  readonly name: string;
  readonly row: PlannedRow;
  readonly column: string;
  readonly kind: FieldKind;
  /** The type of the column, if it is not the one of the kind. */
  readonly dbType: string | null;
  readonly nullable: boolean;
  /** Null for `id` and the time columns. */
  readonly field: FieldDefinition | null;
  group: CellGroup;
  /** In a record: the caller cannot send it. */
  setByServer: boolean;
}

/** Cells with the same value. */
export interface CellGroup {
  readonly cells: Cell[];
  /** As PostgreSQL's text, null for NULL; absent while it is open. */
  value?: string | null;
}

/** A condition on cells, whose names are the fields. */
export interface CellCondition {
  readonly condition: Condition;
  readonly text: string;
  /** The check of a model. It also passes if it is unknown. */
  readonly check: string | null;
}

/** Rows that do not exist yet, with what is known about their columns. */
export class RowPlan {
  readonly conditions: CellCondition[] = [];
  readonly cells = new Map<string, Cell>();
  readonly #rows: PlannedRow[] = [];
  readonly #world: WitnessWorld;

  constructor(world: WitnessWorld) {
    this.#world = world;
  }

  /** Without rows that turned out to be another one. */
  get rows(): readonly PlannedRow[] {
    return this.#rows.filter(({ same }) => same === null);
  }

  addRow(key: string, standing: Standing, depth = 0): PlannedRow {
    if (depth > longestChain) throw new Impossible(`the rows of ${key} need an endless chain of rows`);
    const row = { model: this.model(key), standing, cells: new Map(), stored: null, same: null, depth };
    this.#rows.push(row);
    return row;
  }

  model(key: string): ModelDefinition {
    const model = this.#world.definition.models.find((one) => one.key === key);
    if (model === undefined) throw new Error(`there is no model ${key}`);
    return model;
  }

  cell(row: PlannedRow, column: string): Cell {
    const settled = settledRow(row);
    const known = settled.cells.get(column);
    if (known !== undefined) return known;
    const { model } = settled;
    const field = model.fields.find(({ name }) => name === column) ?? null;
    const group: CellGroup = { cells: [] };
    const { kind, dbType, nullable } = requireColumn(runtimeModel(this.#world, model.key), column);
    const cell = {
      name: `c${this.cells.size}`,
      row: settled,
      column,
      kind,
      dbType,
      nullable: field?.nullable ?? nullable,
      field,
      group,
      setByServer: false,
    };
    group.cells.push(cell);
    settled.cells.set(column, cell);
    this.cells.set(cell.name, cell);
    if (settled.stored !== null) fix(cell, settled.stored.get(column) ?? null);
    // A foreign key can have the column of the id.
    const key = keyField(model)?.name;
    if (column === "id" && key !== undefined) unite(cell, this.cell(settled, key));
    if (column === key) unite(cell, this.cell(settled, "id"));
    return cell;
  }

  /** The row at the end of a `belongs_to` or `has_one`, which is made if the plan does not have it. */
  related(row: PlannedRow, relation: RelationDefinition): PlannedRow {
    return this.linked(row, relation)[0] ?? this.addRelated(row, relation);
  }

  /** The rows of a relation that the plan has. */
  linked(row: PlannedRow, { field, model, references }: RelationDefinition): PlannedRow[] {
    const { cells } = this.cell(row, field).group;
    const found = cells.filter((cell) => cell.column === references && cell.row.model.key === model);
    return [...new Set(found.map((cell) => settledRow(cell.row)))];
  }

  addRelated(row: PlannedRow, { field, model, references }: RelationDefinition): PlannedRow {
    const from = this.cell(row, field);
    if (from.group.value === null) throw new Impossible(`${row.model.key}.${field} is NULL`);
    const added = this.addRow(model, "new", row.depth + 1);
    unite(from, this.cell(added, references));
    return added;
  }

  /** Makes rows with the same unique key one row, until no two rows have the same. */
  mergeSameRows(): void {
    const rows = this.rows.filter(({ standing }) => standing !== "record");
    for (const [index, one] of rows.entries()) {
      const other = rows.slice(index + 1).find((later) => isSameRow(one, later));
      if (other === undefined) continue;
      const [kept, dropped] = other.standing === "caller" ? [other, one] : [one, other];
      dropped.same = kept;
      for (const [column, cell] of dropped.cells) unite(this.cell(kept, column), cell);
      this.mergeSameRows();
      return;
    }
  }
}

const longestChain = 8;

export function settledRow(row: PlannedRow): PlannedRow {
  return row.same === null ? row : settledRow(row.same);
}

/** Gives a group of cells its value. */
export function fix({ group, column, row }: Cell, value: string | null): void {
  if (group.value !== undefined && group.value !== value)
    throw new Impossible(
      `${row.model.key}.${column} would be both ${shown(group.value)} and ${shown(value)}`,
    );
  group.value = value;
}

const shown = (value: string | null) => (value === null ? "NULL" : `'${value}'`);

/** Gives two cells the same value. */
export function unite(one: Cell, other: Cell): void {
  const [group, dropped] = [one.group, other.group];
  if (group === dropped) return;
  if (dropped.value !== undefined) fix(one, dropped.value);
  for (const cell of dropped.cells) {
    group.cells.push(cell);
    cell.group = group;
  }
}

/** The fields of each unique key. The first is the id, or the key that orders rows without an id. */
export function uniqueKeysOf(model: ModelDefinition): readonly (readonly string[])[] {
  const keys = keysWithId(model).map(({ fields }) => fields);
  const isKey = model.orderKey?.every((name) => model.fields.some((f) => f.name === name && !f.nullable));
  return [isKey ? (model.orderKey ?? []) : ["id"], ...keys];
}

function isSameRow(one: PlannedRow, other: PlannedRow): boolean {
  return (
    one.model === other.model &&
    uniqueKeysOf(one.model).some((key) =>
      key.every((column) => {
        const [first, second] = [one.cells.get(column)?.group, other.cells.get(column)?.group];
        if (first === undefined || second === undefined || first.value === null) return false;
        return first === second || (first.value !== undefined && first.value === second.value);
      }),
    )
  );
}
