import { requestValue, type Sql, sql } from "./sql.ts";
import type { Filter } from "./where-sql.ts";

/** How many rows a page has at most, and how many come before it. */
export interface PageBounds {
  readonly limit: number;
  readonly offset: number;
}

/**
 * Limits up to this one stand in the text. Of one that is bound PostgreSQL expects a tenth of all rows, takes any plan for given values
 * to be cheaper, and plans the statement anew each time.
 */
const largestInText = 100;

/** Beyond so many rows it takes much longer to find them than to plan that. */
const largestWindow = 8_192;

/** Text that tells apart pages whose SQL differs. */
export function pageShape(bounds: PageBounds): string {
  const { limit, offset } = bounds;
  return `${isInText(limit) ? limit : "bound"}${offset === 0 ? "" : `+${windowOf(bounds) ?? ""}`}`;
}

/** What is bound before the bounds of a page. */
interface Sought {
  readonly filters: readonly Filter[];
  readonly searchIn: readonly string[];
}

/**
 * A page of the rows that a piece selects in their order. The values of its limit and offset follow those of its reach, where they are
 * bound. An offset always is: around it stands a limit in powers of two, for PostgreSQL to know how far it has to go. It keeps
 * the order of a subquery of which it only takes a part.
 */
export function pageSql(rows: Sql, { filters, searchIn }: Sought, bounds: PageBounds, first = 0): Sql {
  const { limit, offset } = bounds;
  const at = first + filters.length + (searchIn.length > 0 ? 1 : 0);
  const most = isInText(limit) ? sql(`limit ${limit}`) : sql("limit ?", requestValue(at, "bigint"));
  if (offset === 0) return sql("? ?", rows, most);
  const window = windowOf(bounds);
  const from = window === null ? rows : sql(`select * from (? limit ${window}) as window$`, rows);
  return sql("? ? offset ?", from, most, requestValue(at + 1, "bigint"));
}

function isInText(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 0 && limit <= largestInText;
}

/** Rows that a page and what comes before it have, as a power of two; null for too many. */
function windowOf({ limit, offset }: PageBounds): number | null {
  const last = limit + offset;
  if (!isInText(limit) || !(last <= largestWindow)) return null;
  return 2 ** Math.ceil(Math.log2(last));
}
