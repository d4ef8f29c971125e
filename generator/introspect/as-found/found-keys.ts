import type { CatalogIndex } from "../../../vocabulary/migrations/catalog.ts";
import type { FoundRelation } from "./found-relations.ts";
import { type FoundTable, type HeldColumn, isPlainUnique } from "./found-table.ts";

/** A unique key or an index that the model declares. */
export interface FoundKey {
  readonly index: CatalogIndex;
  readonly columns: readonly HeldColumn[];
  readonly unique: boolean;
}

/** The keys and indexes that the model of a table declares. The database keeps the others. */
export function foundKeys(table: FoundTable): FoundKey[] {
  const keys = table.source.indexes.flatMap((index) => keyOf(table, index) ?? []);
  return keys.filter((key, place) => !keys.slice(0, place).some((other) => isSame(key, other)));
}

function isSame(one: FoundKey, other: FoundKey): boolean {
  return (
    one.unique === other.unique &&
    one.columns.length === other.columns.length &&
    one.columns.every((column, place) => column === other.columns[place])
  );
}

function keyOf(table: FoundTable, index: CatalogIndex): FoundKey | null {
  if (!index.valid || index.columns === null || index.predicate !== null) return null;
  if (index.unique && !isPlainUnique(table.source, index)) return null;
  if (table.source.constraints.some(({ kind, name }) => kind === "primary_key" && name === index.name))
    return null;
  const columns = index.columns.flatMap(
    (name) => table.columns.find(({ source }) => source.name === name) ?? [],
  );
  if (columns.length < index.columns.length || columns.some(({ held }) => held.type === "json")) return null;
  const lists = columns.filter(({ held }) => held.type.endsWith("[]")).length;
  if (lists > 0 ? index.method !== "gin" || columns.length > 1 : index.method !== "btree") return null;
  if (columns.every(({ place }) => place === "id")) return null;
  if (index.unique && columns.some(({ place }) => place !== "field")) return null;
  return { index, columns, unique: index.unique };
}

/** Whether a foreign key gets this index without a declaration, because no other key begins with its column. */
export function isImplied(
  key: FoundKey,
  keys: readonly FoundKey[],
  relations: readonly FoundRelation[],
): boolean {
  const [column, second] = key.columns;
  if (key.unique || second !== undefined || !relations.some((relation) => relation.column === column))
    return false;
  return !keys.some((other) => other !== key && other.columns[0] === column);
}
