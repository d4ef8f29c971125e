import type { Json } from "../../vocabulary/json.ts";
import { familyOf } from "../../vocabulary/migrations/catalog.ts";
import {
  baselineName,
  type Check,
  type Column,
  type ColumnDefault,
  type ForeignKey,
  type Index,
  type PrimaryKey,
  type Step,
} from "../../vocabulary/migrations/migration-steps.ts";
import { createTable } from "../migrations/diff.ts";
import type { PlannedMigration } from "../migrations/plan.ts";
import { plannedChange } from "../migrations/planned-change.ts";
import type { Table } from "../migrations/schema.ts";
import type { AdoptedKey } from "./adopted-keys.ts";
import type { FieldType } from "./column-types.ts";
import type { Draft, DraftColumn } from "./draft.ts";
import type { AdoptedRelation } from "./foreign-keys.ts";
import type { Adopted } from "./model-json.ts";

/** The existing table, in the terms of migrations. */
export function baselineTable({ draft, keys, rules, relations, defaults }: Adopted): Table {
  const { source, key, columns, softDelete } = draft;
  return {
    model: key,
    name: source.name,
    ...primaryKeyOf(draft),
    columns: columns.map((column) => baselineColumn(column, defaults.get(column))),
    indexes: keys.flatMap((one) => indexOf(one, softDelete)),
    foreignKeys: columns.flatMap((column) => foreignKeysOf(relations.get(column))),
    checks: [...rules.enums].flatMap(([column, { oneOf, check }]): Check[] =>
      check === null ? [] : [{ name: check, column: column.source.name, oneOf, ...elementsOf(column.type) }],
    ),
  };
}

function primaryKeyOf({ primaryKey }: Draft): { primaryKey?: PrimaryKey } {
  if (primaryKey === null) return {};
  return { primaryKey: { name: primaryKey.name, columns: primaryKey.columns } };
}

function baselineColumn({ source, place, type }: DraftColumn, literal: Json | undefined): Column {
  const made = place === "field" ? literalDefault(literal) : madeDefault(source, place, type.kind);
  const { name, nullable } = source;
  return { name, type: type.column, nullable, ...(made === null ? {} : { default: made }) };
}

function literalDefault(literal: Json | undefined): ColumnDefault | null {
  return literal === undefined ? null : { literal };
}

/** The default of an id or a time. Other defaults of whole numbers count as a sequence, and the next migration replaces them. */
function madeDefault(
  { default: expression, identity }: DraftColumn["source"],
  place: DraftColumn["place"],
  kind: string,
): ColumnDefault | null {
  if (place === "runtime") return expression === "now()" ? "now" : null;
  if (kind === "uuid") return expression === "gen_random_uuid()" ? "random_uuid" : null;
  if (identity === "by default") return "identity";
  return identity !== null || expression !== null ? "sequence" : null;
}

function indexOf({ index, columns, unique }: AdoptedKey, softDelete: boolean): Index[] {
  if (index === null) return [];
  const live = softDelete && index.predicate !== null;
  const method = index.method === "gin" ? ({ method: "gin" } as const) : {};
  return [{ name: index.name, columns: columns.map(({ source }) => source.name), unique, live, ...method }];
}

/** The type of the elements. Texts and decimals have no size, as in the checks of models. */
function elementsOf({ elements }: FieldType): { elements?: NonNullable<FieldType["elements"]> } {
  if (elements === null) return {};
  const family = familyOf(elements);
  return { elements: family === "varchar" || family === "numeric" ? family : elements };
}

function foreignKeysOf(relation: AdoptedRelation | undefined): ForeignKey[] {
  if (relation === undefined) return [];
  const { constraint, field, to, target, onDelete } = relation;
  const references = { table: to.source.name, column: target.source.name };
  return [{ name: constraint.name, column: field.source.name, references, onDelete }];
}

/** The migration that creates the tables. */
export function baselineMigration(tables: readonly Table[]): PlannedMigration {
  const steps: Step[] = [
    ...tables.map(createTable),
    ...tables.flatMap(({ name: table, indexes }) =>
      indexes.map((index): Step => ({ step: "add_index", table, index })),
    ),
    ...tables.flatMap(({ name: table, checks }) =>
      checks.map((check): Step => ({ step: "add_check", table, check })),
    ),
    ...tables.flatMap(({ name: table, foreignKeys }) =>
      foreignKeys.map((foreignKey): Step => ({ step: "add_foreign_key", table, foreignKey })),
    ),
  ];
  return {
    name: baselineName,
    parent: null,
    changes: steps.map((step) => plannedChange(step, "additive")),
    down: dropSteps(tables),
  };
}

/** Drops foreign keys first, because tables can refer to each other. */
function dropSteps(tables: readonly Table[]): Step[] {
  return [
    ...tables.flatMap(({ name: table, foreignKeys }) =>
      foreignKeys.map(({ name }): Step => ({ step: "drop_foreign_key", table, name })),
    ),
    ...tables.map(({ name: table }): Step => ({ step: "drop_table", table })),
  ];
}
