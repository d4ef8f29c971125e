/**
 * Bytes of the longest name that PostgreSQL takes, its `max_identifier_length`: it cuts longer ones. Keys of GraphQL answers are
 * names of columns to it.
 */
export const maxIdentifierLength = 63;

/** What `context.db` has next to the models. */
const reservedNames = ["as", "transaction"] as const;

/** The name by which code reaches a model in `context.db`: its key, with an underscore where something else is called that. */
export type DatabaseName<Key> = Key extends (typeof reservedNames)[number] ? `${Key}_` : Key;

/** The same as a value. */
export function databaseName(key: string): string {
  return reservedNames.some((name) => name === key) ? `${key}_` : key;
}
