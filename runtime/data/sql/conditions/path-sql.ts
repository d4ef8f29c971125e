import { every, forShare, type Sql, sql } from "../sql.ts";
import {
  type ConditionRows,
  fieldPathOf,
  type Hop,
  isFieldName,
  kindOf,
  type Leaf,
  type Path,
  type RowAt,
  type TypedSql,
} from "./condition-rows.ts";
import { joinedRows } from "./joined-rows.ts";
import { columnWhereLive, firstHeldRow, linkSql, liveSql } from "./rows-over-relation.ts";

/** A field of the row at hand, or of the live row at the end of a path; no such row gives NULL, as in a join. */
export function fieldSql(name: string, rows: ConditionRows): TypedSql {
  const { path, column } = fieldPathOf(name, rows);
  const { hops, end } = path;
  const wanted = [...hops.slice(1).map(({ relation }) => relation.field), column];
  let value = startOf(path, rows).row(hops[0]?.relation.field ?? column);
  for (const [index, hop] of hops.entries()) {
    const alias = `row${rows.depth}${index}$`;
    const of = { hop, alias, key: value, name: wanted[index] ?? column };
    value = rows.joined === "read" ? readValue(of) : heldValue(of, lockOf(path, rows));
  }
  return { sql: value, kind: kindOf(end, column) };
}

/** The row that a path begins at. */
export function startOf({ fromItself }: Path, { itself, at }: ConditionRows): RowAt {
  return fromItself ? itself : at;
}

interface Value {
  readonly hop: Hop;
  readonly alias: string;
  /** Of the row before. */
  readonly key: Sql;
  readonly name: string;
}

function readValue({ hop, alias, key, name }: Value): Sql {
  const first = hop.relation.kind === "has_one" ? sql("order by ??.id limit 1", alias) : sql(" ");
  const where = every([linkSql(hop, alias, key), ...liveSql(hop, alias)]);
  return sql("(select ??.?? from ?? as ?? where ? ?)", alias, name, hop.target.table, alias, where, first);
}

/** A soft-deleted parent is held too: where it is restored, its field is NULL no more. */
function heldValue({ hop, alias, key, name }: Value, lock: Sql): Sql {
  if (hop.relation.kind === "has_one")
    return sql("(select ??.?? from (?) as ??)", alias, name, firstHeldRow(hop, key), alias);
  return sql(
    "(select ? from ?? as ?? where ? ?)",
    columnWhereLive(hop, alias, name),
    hop.target.table,
    alias,
    linkSql(hop, alias, key),
    lock,
  );
}

/**
 * How a path holds its rows: shared. A parent that one `belongs_to` leads to is held alone, as two writers who share it would both
 * fail when a hook then changes it.
 */
export function lockOf({ hops }: Path, { depth }: ConditionRows): Sql {
  const isParent = depth === 0 && hops.length === 1 && hops[0]?.relation.kind === "belongs_to";
  return isParent ? sql("for no key update") : forShare;
}

/**
 * A comparison as EXISTS, or null where it is no such: over `belongs_to` relations that are only read, and where what is unknown
 * might as well be false. PostgreSQL can begin at the other end of it, at the rows that belong to the caller.
 */
export function semiJoin(leaf: Leaf, rows: ConditionRows, compared: (field: TypedSql) => Sql): Sql | null {
  if (
    rows.joined === "held" ||
    rows.polarity !== "positive" ||
    leaf.op === "is_null" ||
    !isFieldName(leaf.field)
  )
    return null;
  const { path, column } = fieldPathOf(leaf.field, rows);
  const { hops, end } = path;
  if (hops.length === 0 || hops.some(({ relation }) => relation.kind !== "belongs_to")) return null;
  const { from, where, last } = joinedRows(hops, startOf(path, rows), `row${rows.depth}`);
  const field = { sql: last(column), kind: kindOf(end, column) };
  return sql("exists (select from ? where ?)", from, every([...where, compared(field)]));
}
