import { columnsOfTable, every, forShare, type Sql, sql } from "../sql.ts";
import { type ConditionRows, type Hop, pathOf, type RowAt, within } from "./condition-rows.ts";
import { joinedRows } from "./joined-rows.ts";
import { unanchoredSql, unseenSql } from "./out-of-sight.ts";
import { startOf } from "./path-sql.ts";
import { firstHeldRow, heldRows, linkSql, liveSql } from "./rows-over-relation.ts";

/** What the rows at the end of a path must fulfil. */
type Demand = (found: ConditionRows) => Sql;

/** Whether a path leads to a live row that fulfils a condition. */
export function existsSql(path: string, rows: ConditionRows, demand: Demand): Sql {
  const found = pathOf(path.split("."), rows);
  const { hops, end } = found;
  const start = startOf(found, rows);
  const inside = (row: RowAt["row"]): ConditionRows => ({
    ...rows,
    at: { model: end, row },
    depth: rows.depth + 1,
    // To read, it is enough that EXISTS is never unknown.
    polarity: rows.joined === "read" ? "positive" : within(rows.polarity),
  });
  if (rows.joined === "held") return heldExists(hops, start, rows, (row) => demand(inside(row)));
  const { from, where, last } = joinedRows(hops, start, `found${rows.depth}`);
  return sql("exists (select from ? where ?)", from, every([...where, demand(inside(last))]));
}

/**
 * One relation inside the other. What PostgreSQL waited for is then looked at anew, with all that follows it: a project that
 * was moved meanwhile leads to the members of its new organisation.
 */
function heldExists(
  hops: readonly Hop[],
  start: RowAt,
  rows: ConditionRows,
  demand: (row: RowAt["row"]) => Sql,
  index = 0,
): Sql {
  const hop = hops[index];
  if (hop === undefined) return demand(start.row);
  const alias = `found${rows.depth}${index}$`;
  const row = columnsOfTable(alias);
  const key = start.row(hop.relation.field);
  const rest = heldExists(hops, { model: hop.target, row }, rows, demand, index + 1);
  const live = liveSql(hop, alias);
  if (hop.relation.kind === "has_one") {
    const found = sql("exists (select from (?) as ?? where ?)", firstHeldRow(hop, key), alias, rest);
    return inSight(found, unanchoredSql(start, rows), rows);
  }
  if (rows.polarity === "positive") {
    const where = every([linkSql(hop, alias, key), ...live, rest]);
    return sql("exists (select from ?? as ?? where ? ?)", hop.target.table, alias, where, forShare);
  }
  const held = heldRows(hop, key);
  const fulfils = every([...live, rest]);
  if (hop.relation.kind === "belongs_to" && rows.negated)
    return sql(
      "coalesce((select coalesce(?, false) from (?) as ??), ?)",
      fulfils,
      held,
      alias,
      unseenSql(start, key, rows),
    );
  const found = sql("exists (select from (?) as ?? where ?)", held, alias, fulfils);
  return rows.negated ? inSight(found, unanchoredSql(start, rows), rows) : found;
}

/** What is found, unless others may join it yet: that speaks against the row whose rule it is. */
function inSight(found: Sql, [unsure]: readonly Sql[], { negated }: ConditionRows): Sql {
  if (unsure === undefined) return found;
  return negated ? sql("(? or ?)", found, unsure) : sql("(? and not ?)", found, unsure);
}
