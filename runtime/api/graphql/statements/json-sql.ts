import { type Sql, sql } from "../../../data/sql/index.ts";

// Rows as a whole are `r$` in statements: a name that no key of an answer and no field can have.

/**
 * Rows as one JSON text; null where that has more bytes. The database looks, since a text that no string of JavaScript
 * holds ends the process as soon as it arrives.
 */
export function rowsText(rows: Sql, mostBytes: number): Sql {
  return sql(
    "select ? from (select coalesce(json_agg(r$), '[]') as j from (?) as r$) as page",
    limitedText(sql("j"), mostBytes),
    rows,
  );
}

/** One row as JSON text, under the same limit. */
export function rowText(row: Sql, mostBytes: number): Sql {
  // With an offset PostgreSQL makes the text once.
  return sql(
    "select ? from (select row_to_json(r$) as j from (?) as r$ offset 0) as page",
    limitedText(sql("j"), mostBytes),
    row,
  );
}

/** JSON as a text without blanks; null where it has more bytes. The size is asked of the JSON: to make a text of it takes as much memory again. */
function limitedText(json: Sql, mostBytes: number): Sql {
  return sql(`case when pg_column_size(?) <= ${mostBytes} then ${compact("?::text")} end`, json, json);
}

/** PostgreSQL puts a line break between the elements of lists. Texts hold none: there it is written as `\n`. */
function compact(text: string): string {
  return `replace(${text}, E', \\n ', ',')`;
}
