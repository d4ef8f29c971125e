import { columnsOf } from "../../models/index.ts";
import { isInText, type Order, orderSql, type RowFilter, rowFilterSql } from "./select-statement.ts";
import {
  columnList,
  columnsOfTable,
  every,
  idValue,
  type Plan,
  plan,
  requestValue,
  type Sql,
  sql,
  tableSql,
} from "./sql.ts";

/** The row before the first one of a page, as PostgreSQL's texts. Its sort value is null for NULL. */
export interface Edge {
  readonly id: string;
  readonly value: string | null;
}

/** The first rows after an edge. For a page before an edge, the order is reversed. */
export interface Keyset extends RowFilter, Order {
  /** Whether there is an edge, and whether its sort value is NULL. */
  readonly edge: "none" | "null" | "value";
  readonly limit: number;
}

/** Distinguishes pages with different SQL. */
export function keysetShape({ edge, orderBy, descending, limit }: Omit<Keyset, keyof RowFilter>): string {
  return `after ${edge} ${orderBy} ${descending} ${isInText(limit) ? limit : "bound"}`;
}

/** The values of a page that follow those of its filters and the search pattern. */
export function keysetValues(edge: Edge | null, limit: number): (string | number | null)[] {
  return [edge?.value ?? null, edge?.id ?? null, limit];
}

/**
 * The rows of a page. PostgreSQL begins to read an index on the sort column and `id` at the edge. It cannot
 * do so across NULLs, so values and NULLs are two parts. The second part only adds rows if the first one has
 * too few. Values from `first` on: filters, search pattern, then `keysetValues`.
 */
export function keysetSql(shape: Keyset, alias: string, selected: Sql, first = 0): Sql {
  const { model, filters, searchIn, limit } = shape;
  const at = first + filters.length + (searchIn.length > 0 ? 1 : 0);
  const order = orderSql(shape, alias);
  const most = isInText(limit) ? sql(`${limit}`) : requestValue(at + 2, "bigint");
  const inReach = rowFilterSql(shape, alias, first);
  const part = (columns: Sql, beyond: readonly Sql[]) =>
    sql(
      "select ? from ? as ?? where ? order by ? limit ?",
      columns,
      tableSql(model),
      alias,
      every([...beyond, inReach]),
      order,
      most,
    );
  const [one, other] = partsBeyond(shape, alias, at);
  if (other === undefined) return part(selected, one);
  const whole = sql("??.*", alias);
  return sql(
    "select ? from (with first$ as materialized (?) select 0 as part$, first$.* from first$ " +
      "union all select 1, rest$.* from (select * from (?) as all$ limit (? - (select count(*) from first$))) as rest$" +
      ") as ?? order by part$, ?",
    selected,
    part(whole, one),
    part(whole, other),
    most,
    alias,
    order,
  );
}

type Parts = readonly [readonly Sql[], (readonly Sql[])?];

/** The rows after the edge: NULL is after every value, and before it in descending order. */
function partsBeyond({ model, orderBy, descending, edge }: Keyset, alias: string, at: number): Parts {
  if (edge === "none") return [[]];
  const column = columnsOfTable(model, alias);
  const sign = descending ? "<" : ">";
  const edgeId = idValue(at + 1, model);
  const byId = sql(`? ${sign} ?`, column("id"), edgeId);
  const sorted = columnsOf(model).get(orderBy);
  if (orderBy === "id" || sorted === undefined) return [[byId]];
  const isNull = sql("? is null", column(orderBy));
  if (edge === "null") {
    const nulls = [isNull, byId];
    return descending ? [nulls, [sql("? is not null", column(orderBy))]] : [nulls];
  }
  const edgeValue = requestValue(at, sorted);
  const values = [sql(`(?, ?) ${sign} (?, ?)`, column(orderBy), column("id"), edgeValue, edgeId)];
  const holdsNulls = sorted.nullable || sorted.hidesUnsupported;
  return descending || !holdsNulls ? [values] : [values, [isNull]];
}

/** A page as rows of columns, which end with the sort value and the id. */
export function selectKeyset(shape: Keyset & { readonly columns: readonly string[] }): Plan {
  const { columns, orderBy } = shape;
  const alias = "t";
  const selected = columnList([...columns, orderBy, "id"], columnsOfTable(shape.model, alias));
  return plan(keysetSql(shape, alias, selected));
}
