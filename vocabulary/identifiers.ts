/**
 * The `max_identifier_length` of PostgreSQL, in bytes. PostgreSQL shortens longer names. The limit also
 * applies to response keys of GraphQL, because they are column names in SQL.
 */
export const maxIdentifierLength = 63;

/** Properties of `context.db` that are not models. */
const reservedNames = ["as", "transaction"] as const;

/** The name of a model in `context.db`: its key, with an underscore if the name is reserved. */
export type DatabaseName<Key> = Key extends (typeof reservedNames)[number] ? `${Key}_` : Key;

/** The same name at run time. */
export function databaseName(key: string): string {
  return reservedNames.some((name) => name === key) ? `${key}_` : key;
}
