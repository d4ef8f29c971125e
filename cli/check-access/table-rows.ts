import type { ModelDefinition } from "#generator/definition/definition";
import type { Queryable } from "#runtime/core/database/index";
import {
  columnsOfTable,
  join,
  type Models,
  plan,
  type Sql,
  sql,
  tableSql,
  typeOf,
} from "#runtime/data/sql/index";
import { columnsOf, hasId, type Model } from "#runtime/models/index";
import type { Json } from "#vocabulary/json";
import { rowIdSql } from "../conditions/index.ts";

/** A row with its values as a request sends them. */
export interface StoredRow {
  /** Of a row without an id, the text of all its values. */
  readonly id: string;
  readonly isDeleted: boolean;
  readonly values: Readonly<Record<string, Json>>;
}

/** All rows of the app's tables after the witnesses were made, by model key. Questions revert what they change. */
export type Stored = ReadonlyMap<string, ReadonlyMap<string, StoredRow>>;

export async function readStored(database: Queryable, models: Models): Promise<Stored> {
  const stored = new Map<string, ReadonlyMap<string, StoredRow>>();
  for (const [key, model] of models) {
    const id = rowIdSql(model);
    const order = hasId(model) ? columnsOfTable(model, "t")("id") : id;
    const text = "select ?, ? from ? as t order by ?";
    const { statement } = plan(sql(text, id, jsonRowSql(model), tableSql(model), order));
    const rows = await database.run({ name: null, text: statement.text }, []);
    const found = rows.map(([text, json]): StoredRow => {
      const values = JSON.parse(json ?? "{}");
      return { id: text ?? "", values, isDeleted: values.deleted_at != null };
    });
    stored.set(key, new Map(found.map((row) => [row.id, row])));
  }
  return stored;
}

/** A row of the table `t` as a JSON object, with values as requests send them. */
export function jsonRowSql(model: Model): Sql {
  const row = columnsOfTable(model, "t");
  const values = [...columnsOf(model).values()].map((column) =>
    sql("? as ??", sql(typeOf(column).jsonSql, row(column.name)), column.name),
  );
  return sql("(select to_jsonb(v) from (select ?) as v)", join(values, ", "));
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
