import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import type { TestDatabase } from "#runtime/testing/index";
import { elementKindOf } from "#vocabulary/fields/field-kinds";
import type { Json } from "#vocabulary/json";
import { columnNamesOf } from "./model-access.ts";

/** A row with its values as a request sends them. */
export interface StoredRow {
  readonly id: string;
  readonly isDeleted: boolean;
  readonly values: Readonly<Record<string, Json>>;
}

/** All rows of the app's tables after the witnesses were made, by model key. Questions revert what they change. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, StoredRow>>;

export async function readStored(
  database: TestDatabase,
  models: readonly ModelDefinition[],
): Promise<Stored> {
  const stored = new Map<string, ReadonlyMap<string, StoredRow>>();
  for (const model of models) {
    const rows = await database.query<{ id: string; values: Record<string, Json> }>(
      `select id::text as id, jsonb_build_object(${jsonColumns(model)}) as values from "${model.table}" order by "${model.table}".id`,
    );
    const found = rows.map(({ id, values }) => ({ id, values, isDeleted: values["deleted_at"] != null }));
    stored.set(model.key, new Map(found.map((row) => [row.id, row])));
  }
  return stored;
}

/** The columns for `jsonb_build_object`. Exact numbers are text, because JavaScript rounds JSON numbers. */
export function jsonColumns(model: ModelDefinition): string {
  const kinds = new Map(model.fields.map((field) => [field.name, field]));
  return columnNamesOf(model)
    .map((name) => `'${name}', ${sentValue(name, kinds.get(name))}`)
    .join(", ");
}

function sentValue(name: string, field: FieldDefinition | undefined): string {
  const kind = field === undefined ? null : (elementKindOf(field.kind) ?? field.kind);
  if (kind !== "decimal" && kind !== "int64") return `"${name}"`;
  return field?.items === null ? `"${name}"::text` : `"${name}"::text[]`;
}

/** The rows that reads can answer. */
export function liveRows(stored: Stored, model: ModelDefinition): StoredRow[] {
  return [...(stored.get(model.key)?.values() ?? [])].filter(({ isDeleted }) => !isDeleted);
}

export function tableRow(stored: Stored, { key }: ModelDefinition, id: string): StoredRow | null {
  return stored.get(key)?.get(id) ?? null;
}

/** An id as JSON sends it. */
export function sentId({ idType }: ModelDefinition, id: string): Json {
  return idType === "integer" ? Number(id) : id;
}
