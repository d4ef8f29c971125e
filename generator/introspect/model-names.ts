import { fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import { isRuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import { aggregateType, schemaTypes } from "../../vocabulary/graphql/names.ts";
import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import type { CatalogTable } from "../../vocabulary/migrations/catalog.ts";
import { isInternalTable } from "../../vocabulary/migrations/internal-tables.ts";
import { columnNameProblem } from "../check/check-names.ts";
import { mountsOf } from "../check/check-routes.ts";
import { reservedKeys } from "../load/raw.ts";

/** The key of a model, and the future name of its table. */
export interface ModelName {
  readonly key: string;
  readonly table: string;
}

/** Types of the GraphQL schema, also those that only some fields need, so that a later field does not collide with a model. */
const graphqlTypes: ReadonlySet<string> = new Set([
  ...schemaTypes,
  ...Object.values(fieldKinds).flatMap(({ graphql: { value, filter } }) => [value, filter ?? value]),
]);

/** First segments of other routes. */
const routes: ReadonlySet<string> = new Set(mountsOf(null).map(({ path }) => path.split("/")[1] ?? ""));

/**
 * Model keys for tables: the table's name if it is allowed. A table keeps its name if models allow it, otherwise it gets the key
 * as its name. `relations` are the names in use in the database.
 */
export function modelNames(tables: readonly CatalogTable[], relations: ReadonlySet<string>): ModelName[] {
  const keys = modelKeys(
    tables.map(({ name }) => name),
    (key, name) => isTableName(name) || !relations.has(key),
  );
  return tables.map(({ name }, index) => {
    const key = keys[index] ?? name;
    return { key, table: isTableName(name) ? name : key };
  });
}

/** The keys of models for tables with these names. */
export function modelKeys(
  tables: readonly string[],
  free?: (key: string, table: string) => boolean,
): string[] {
  const aggregates = new Set(tables.map(aggregateType));
  return distinctNames(tables, (name, index) => modelKey(name, index, aggregates), free);
}

function isTableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isInternalTable(name) && !name.startsWith("pg_");
}

function modelKey(name: string, index: number, aggregates: ReadonlySet<string>): string {
  const key = cleaned(name, `table_${index + 1}`);
  const lower = key.toLowerCase();
  const reserved =
    reservedKeys.has(lower) ||
    isInternalTable(key) ||
    routes.has(lower) ||
    aggregates.has(key) ||
    graphqlTypes.has(key) ||
    lower.startsWith("pg_");
  return reserved ? cut(`app_${key}`, "") : key;
}

/** Names of fields for columns: the column's name if it is allowed and free. */
export function fieldNames(columns: readonly string[]): string[] {
  return distinctNames(columns, (name, index) => {
    const clean = cleaned(name, `column_${index + 1}`);
    return isRuntimeColumn(clean.toLowerCase()) ? `old_${clean}` : clean;
  });
}

/** Turns any name into letters, digits and single underscores, with a letter first. */
export function cleaned(name: string, otherwise: string): string {
  if (columnNameProblem(name) === null) return name;
  const clean = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (clean === "") return otherwise;
  return cut(/^[A-Za-z]/.test(clean) ? clean : `n${clean}`, "");
}

/** Gives each name a distinct new name, ignoring case. Names that can stay unchanged are first. */
export function distinctNames(
  names: readonly string[],
  wanted: (name: string, index: number) => string,
  free: (candidate: string, name: string) => boolean = () => true,
): string[] {
  const given = new Map<number, string>();
  const taken = new Set<string>();
  const entries = names.map((name, index) => ({ name, index, want: wanted(name, index) }));
  const ordered = [...entries].sort((a, b) => Number(b.want === b.name) - Number(a.want === a.name));
  for (const { name, index, want } of ordered) {
    let candidate = want;
    for (let number = 2; taken.has(candidate.toLowerCase()) || !free(candidate, name); number++)
      candidate = cut(want, `_${number}`);
    taken.add(candidate.toLowerCase());
    given.set(index, candidate);
  }
  return names.map((name, index) => given.get(index) ?? name);
}

function cut(name: string, suffix: string): string {
  return name.slice(0, maxIdentifierLength - suffix.length).replace(/_+$/, "") + suffix;
}
