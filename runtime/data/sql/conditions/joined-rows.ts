import { type ColumnSql, columnsOfTable, every, join, type Sql, sql } from "../sql.ts";
import type { Hop, RowAt } from "./condition-rows.ts";
import { linkSql, liveSql } from "./rows-over-relation.ts";

/** Tables that a path leads over, joined. */
export interface JoinedRows {
  readonly from: Sql;
  readonly where: readonly Sql[];
  /** Columns of the table at the path's end. */
  readonly last: ColumnSql;
}

/** The live rows on a path, whose aliases begin alike. */
export function joinedRows(hops: readonly Hop[], start: RowAt, prefix: string): JoinedRows {
  let last = start.row;
  const tables: Sql[] = [];
  const where: Sql[] = [];
  for (const [index, hop] of hops.entries()) {
    const alias = `${prefix}${index}$`;
    const key = last(hop.relation.field);
    tables.push(sql("?? as ??", hop.target.table, alias));
    where.push(linkSql(hop, alias, key), ...liveSql(hop, alias));
    if (hop.relation.kind === "has_one") where.push(isFirst(hop, alias, key));
    last = columnsOfTable(alias);
  }
  return { from: join(tables, ", "), where, last };
}

/** A `has_one` with several rows is the first live one by id. */
function isFirst(hop: Hop, alias: string, key: Sql): Sql {
  return sql(
    "??.id = (select first$.id from ?? as first$ where ? order by first$.id limit 1)",
    alias,
    hop.target.table,
    every([linkSql(hop, "first$", key), ...liveSql(hop, "first$")]),
  );
}
