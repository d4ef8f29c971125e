import { insertColumns } from "./insert-statement.ts";
import { columnList, columnsOfTable, every, join, type Sql, sql } from "./sql.ts";
import { pinned, sameKey, table, type UpsertShape, updatable } from "./upsert-rows.ts";
import { visibilitySql } from "./where-sql.ts";

/** What stands before the insert, and the query of the row that it proposes. */
export interface Proposal {
  readonly ahead: Sql;
  readonly proposed: Sql;
}

/** The row that an upsert proposes to PostgreSQL, which updates in its place the one that has its key. */
export function proposalOf(shape: UpsertShape): Proposal {
  return shape.model.checks === undefined ? recordAsSent(shape) : rowAsItWillBe(shape);
}

function recordAsSent({ model, key }: UpsertShape): Proposal {
  return {
    ahead: sql(""),
    proposed: sql(
      "select ? from v$ where _insertable or exists (select from ?? as t where ?)",
      columnList(insertColumns(model)),
      model.table,
      every([...sameKey(key), ...visibilitySql(model, "live", table)]),
    ),
  };
}

/**
 * PostgreSQL judges the row that is proposed by the checks before it looks for the one that is there. So that one is locked first,
 * and what was not sent is taken from it; out of the scope nothing is proposed, since a check would tell of its fields.
 */
function rowAsItWillBe(shape: UpsertShape): Proposal {
  const { model, key, sent } = shape;
  const given = new Set(["id", ...key, ...sent]);
  const column = columnsOfTable("excluded");
  const proposed = insertColumns(model).map((name) =>
    given.has(name)
      ? column(name)
      : sql("case when t.id is null then ? else ? end", column(name), table(name)),
  );
  return {
    ahead: sql(
      "held$ as materialized (select t.* from ?? as t where ? for update of t), ",
      model.table,
      every([...sameKey(key), ...visibilitySql(model, "live", table), ...pinned(shape)]),
    ),
    proposed: sql(
      `select ? from v$ as excluded left join held$ as t on true
        where case when t.id is null then excluded._insertable else ? end`,
      join(proposed, ", "),
      every(updatable(shape)),
    ),
  };
}
