import { type Sql, sql } from "../../crud/statements/sql.ts";

// Rows as a whole are `r$` in statements: a name that no key of an answer and no field can have.

/** PostgreSQL puts a line break between the elements of lists. Texts hold none: there it is written as `\n`. */
const compact = (text: string) => `replace(${text}, E', \\n ', ',')`;

/**
 * Rows as one JSON text; null where that has more bytes. The database looks, since a text that no string of JavaScript
 * holds ends the process as soon as it arrives.
 */
export function rowsText(rows: Sql, mostBytes: number): Sql {
  return sql(
    `select case when octet_length(j) <= ${mostBytes} then ${compact("j")} end from (select coalesce(json_agg(r$), '[]')::text as j from (?) as r$) as page`,
    rows,
  );
}

/** One row as JSON text, under the same limit. */
export function rowText(row: Sql, mostBytes: number): Sql {
  // With an offset PostgreSQL makes the text once.
  return sql(
    `select case when octet_length(j) <= ${mostBytes} then ${compact("j")} end from (select row_to_json(r$)::text as j from (?) as r$ offset 0) as page`,
    row,
  );
}
