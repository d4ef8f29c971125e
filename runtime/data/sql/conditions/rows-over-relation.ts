import { columnsOfTable, every, forShare, type Sql, sql } from "../sql.ts";
import type { Hop } from "./condition-rows.ts";

/** That a row with this alias is the one, or one of those, that a relation leads to from a key. */
export function linkSql({ relation }: Hop, alias: string, key: Sql): Sql {
  return sql("??.?? = ?", alias, relation.references, key);
}

/** That the row is no soft-deleted one, where there are such. */
export function liveSql({ target }: Pick<Hop, "target">, alias: string): Sql[] {
  return target.softDelete ? [sql("??.deleted_at is null", alias)] : [];
}

/** A column of the row, NULL where it is soft-deleted: of rows that are held, whatever they are. */
export function columnWhereLive({ target }: Pick<Hop, "target">, alias: string, name: string): Sql {
  const column = columnsOfTable(alias)(name);
  return target.softDelete ? sql("case when ??.deleted_at is null then ? end", alias, column) : column;
}

/**
 * All rows that a relation leads to, held shared, soft-deleted ones too: those may be restored. By the offset PostgreSQL holds
 * them before it looks at any other condition.
 */
export function heldRows(hop: Hop, key: Sql): Sql {
  return sql(
    "select held$.* from ?? as held$ where ? offset 0 ?",
    hop.target.table,
    linkSql(hop, "held$", key),
    forShare,
  );
}

/** The first live row by id of those that a `has_one` leads to, all of which are held. */
export function firstHeldRow(hop: Hop, key: Sql): Sql {
  return sql(
    "select first$.* from (?) as first$ where ? order by first$.id limit 1",
    heldRows(hop, key),
    every(liveSql(hop, "first$")),
  );
}
