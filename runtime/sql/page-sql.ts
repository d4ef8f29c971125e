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

/** Text that tells apart pages whose SQL differs. */
export function pageShape({ limit, offset }: PageBounds): string {
  return `${isInText(limit) ? limit : "bound"}${offset === 0 ? "" : "+"}`;
}

/** What is bound before the bounds of a page. */
interface Sought {
  readonly filters: readonly Filter[];
  readonly searchIn: readonly string[];
}

/** Limit and offset of a page, whose values follow those of its reach. */
export function limitSql({ filters, searchIn }: Sought, { limit, offset }: PageBounds, first = 0): Sql {
  const at = first + filters.length + (searchIn.length > 0 ? 1 : 0);
  const most = isInText(limit) ? sql(`limit ${limit}`) : sql("limit ?", requestValue(at, "bigint"));
  return offset === 0 ? most : sql("? offset ?", most, requestValue(at + 1, "bigint"));
}

function isInText(limit: number): boolean {
  return Number.isInteger(limit) && limit >= 0 && limit <= largestInText;
}
