import type { Model } from "../../../models/index.ts";
import { type ColumnSql, columnsOfTable, every, forShare, type Sql, sql } from "../sql.ts";
import { anchorName } from "./anchored.ts";
import type { Anchor, Step } from "./anchors.ts";
import type { Models } from "./condition-rows.ts";
import { treeSql } from "./condition-sql.ts";
import { columnWhereLive, liveSql } from "./rows-over-relation.ts";

/** The rows whose rule it is, as a statement has them: those that are there, as they are or as they will be, or new ones. */
export interface RulesRows {
  readonly model: Model;
  readonly from: Sql;
  readonly row: ColumnSql;
}

/** Locks the rows of an anchor, in the order of their ids, and holds those on the way to it. Gives their names as an array. */
export function anchorSql({ steps }: Anchor, rows: RulesRows, models: Models): Sql {
  const last = steps.at(-1);
  if (last === undefined) throw new Error("the rows whose rule it is are locked by themselves");
  return sql(
    "array(select ? from ?? as way$ where ? order by way$.id for update)",
    anchorName({ model: last.hop.target, row: columnsOfTable("way$") }),
    last.hop.target.table,
    whereSql(steps, last, rows, models),
  );
}

/** That a row is one of those that the steps lead to. */
function whereSql(steps: readonly Step[], { hop, narrowed }: Step, rows: RulesRows, models: Models): Sql {
  const keys = keysSql(steps.slice(0, -1), hop.relation.field, rows, models);
  const linked = sql("way$.?? = any(array(?))", hop.relation.references, keys);
  if (narrowed === null) return linked;
  const at = { model: hop.target, row: columnsOfTable("way$"), given: false };
  const standing = { depth: 1, polarity: "positive", negated: false } as const;
  const place = { models, joined: "held", itself: at, at, ...standing } as const;
  return every([linked, ...liveSql(hop, "way$"), ...narrowed.map((leaf) => treeSql(leaf, place))]);
}

/** A column of all rows that the steps lead to; soft-deleted ones are held, and nothing follows them. */
function keysSql(steps: readonly Step[], column: string, rows: RulesRows, models: Models): Sql {
  const last = steps.at(-1);
  if (last === undefined) return sql("select ? from ?", rows.row(column), rows.from);
  return sql(
    "select ? from ?? as way$ where ? ?",
    columnWhereLive(last.hop, "way$", column),
    last.hop.target.table,
    whereSql(steps, last, rows, models),
    forShare,
  );
}
