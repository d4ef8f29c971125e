import { columnsOfTable, join, type Sql, sql } from "../sql.ts";
import { anchoredSql } from "./anchored.ts";
import {
  type ConditionRows,
  fieldPathOf,
  fieldsOf,
  type Hop,
  type Leaf,
  type Path,
  type RowAt,
} from "./condition-rows.ts";
import { lockOf, startOf } from "./path-sql.ts";
import { firstHeldRow, linkSql, liveSql } from "./rows-over-relation.ts";

/**
 * A comparison of a write, which speaks against the write where a path of it leads out of sight. A statement that waited for a row
 * finds the row as it is now, with a key whose row may have come to be since the statement began: what it does not see is not
 * absent. So is the first of several rows where another one may still become the first.
 */
export function judgedInSight(compared: Sql, leaf: Leaf, rows: ConditionRows): Sql {
  const paths = fieldsOf(leaf).map((name) => fieldPathOf(name, rows).path);
  const unsure = paths.filter((path) => isUnsure(path, leaf, rows)).map((path) => outOfSight(path, rows));
  if (unsure.length === 0) return compared;
  const unseen = join(unsure, " or ");
  return rows.negated ? sql("(? or ?)", compared, unseen) : sql("(? and not (?))", compared, unseen);
}

/** NULL is enough where it is not asked for, and where neither NOT nor an EXISTS makes anything of it. */
export function isUnsure(
  { hops }: Path,
  { op }: Leaf,
  { polarity }: Pick<ConditionRows, "polarity">,
): boolean {
  if (hops.length === 0) return false;
  const asksForNull = op === "is_null" || op === "is_not_null";
  return asksForNull || polarity === "absent" || hops.some(({ relation }) => relation.kind === "has_one");
}

/** Whether a row on a path is one that the statement does not see, though a key leads to it. Never NULL. */
function outOfSight(path: Path, rows: ConditionRows): Sql {
  const lock = lockOf(path, rows);
  const from = (start: RowAt, index: number): Sql => {
    const hop = path.hops[index];
    if (hop === undefined) return sql("false");
    const alias = `sight${rows.depth}${index}$`;
    const rest = from({ model: hop.target, row: columnsOfTable(alias) }, index + 1);
    const key = start.row(hop.relation.field);
    if (hop.relation.kind !== "has_one")
      return beyondParent(hop, key, { alias, rest, lock, unseen: unseenSql(start, key, rows) });
    const beyond = sql("coalesce((select ? from (?) as ??), false)", rest, firstHeldRow(hop, key), alias);
    return join([beyond, ...unanchoredSql(start, rows)], " or ");
  };
  return sql("(?)", from(startOf(path, rows), 0));
}

interface Beyond {
  readonly alias: string;
  /** Whether what follows the row is out of sight. */
  readonly rest: Sql;
  readonly lock: Sql;
  readonly unseen: Sql;
}

/** A soft-deleted row is in sight, and nothing follows it. */
function beyondParent(hop: Hop, key: Sql, { alias, rest, lock, unseen }: Beyond): Sql {
  const [live = sql("true")] = liveSql(hop, alias);
  return sql(
    "coalesce((select ? and (?) from ?? as ?? where ? ?), ?)",
    live,
    rest,
    hop.target.table,
    alias,
    linkSql(hop, alias, key),
    lock,
    unseen,
  );
}

/** That a key leads to a row though none was found; the keys of a row that a request gives may lead nowhere. */
export function unseenSql(start: RowAt, key: Sql, { itself }: ConditionRows): Sql {
  return itself.given && start.row === itself.row ? sql("false") : sql("? is not null", key);
}

/** That others may still join the rows of a relation that begins at a row; nothing where that cannot be. */
export function unanchoredSql(start: RowAt, rows: ConditionRows): Sql[] {
  const anchored = anchoredSql(start, rows);
  return anchored === null ? [] : [sql("not coalesce(?, false)", anchored)];
}
