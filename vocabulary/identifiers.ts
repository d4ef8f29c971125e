/**
 * Bytes of the longest name that PostgreSQL takes, its `max_identifier_length`: it cuts longer ones. Keys of GraphQL answers are
 * names of columns to it.
 */
export const maxIdentifierLength = 63;
