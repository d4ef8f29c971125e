import type { TextRow } from "../../../core/database/index.ts";
import { pageTooLarge, rowsJson, type Sql, sql } from "../../../data/sql/index.ts";
import type { Scope } from "../../../models/access/index.ts";
import type { ObjectSelection } from "../plan/object-selection.ts";
import { rowsText } from "./json-sql.ts";
import { listSql, objectSql } from "./object-sql.ts";
import { isFlat, namedColumns, project } from "./projection.ts";
import type { StatementBuilder } from "./statement-builder.ts";

/** A statement, and the JSON list that its rows stand for. */
export interface ListStatement {
  readonly sql: Sql;
  /** Errors: 400 `VALIDATION_ERROR` for a list of more characters than may be. */
  readonly textOf: (rows: readonly TextRow[], mostCharacters: number) => string;
}

/** A page of rows of a root field with all that is joined to them. Values: those of its lists, in their order. */
export function listStatement(
  selection: ObjectSelection,
  scope: Scope,
  searchIn: readonly string[],
  builder: StatementBuilder,
): ListStatement {
  const list = builder.nextList(searchIn);
  const alias = builder.nextAlias();
  const flat = isFlat(selection) ? project(selection, alias, builder) : null;
  if (flat === null) {
    const page = listSql(selection, scope, list, null, alias, objectSql(selection, alias, builder), builder);
    return { sql: rowsText(page, builder.mostBytes), textOf: onlyText };
  }
  const { columns, joins, write } = flat;
  const selected = { columns: columns.length === 0 ? [sql("null")] : namedColumns(columns), joins };
  return {
    sql: listSql(selection, scope, list, null, alias, selected, builder),
    textOf: (rows, most) => rowsJson(rows, (row) => write(row, 0), most),
  };
}

/** PostgreSQL has written all of it, unless that was too large. */
function onlyText([row]: readonly TextRow[]): string {
  const text = row?.[0];
  if (text == null) throw pageTooLarge();
  return text;
}
