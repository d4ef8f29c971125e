import type { ErrorCode } from "./errors.ts";
import { callOf, dataOf, type Success } from "./request.ts";
import type { Page, Query, ReadQuery } from "./types.ts";

/** A query of any model. */
export interface AnyQuery extends ReadQuery<object, string> {
  select?: readonly string[] | undefined;
}

/** In a query string these are parameters, so a field of such a name is compared by `in`. */
const isParameter = /^(limit|page|offset|order|order_by|select_fields|search_term)$/;

/**
 * The filters of a nested `where`, by the names of the service: `price__lt`, `author_id`, `x__is_null`. A write throws for a filter
 * without a value, because without it the write would change more rows. Reads leave it out.
 */
export function filtersOf(where: object = {}, isRead = false): Record<string, unknown> {
  const filters: Record<string, unknown> = {};
  for (const [field, condition] of Object.entries(where)) {
    const isNested = Object(condition) === condition && !Array.isArray(condition);
    const operators = Object.entries<unknown>(isNested ? condition : { eq: condition });
    if (!isRead && !(operators.length > 0 && operators.every(([, value]) => value !== undefined)))
      throw new TypeError(`where.${field} has no value.`);
    for (const [operator, value] of operators) {
      const isReserved = isRead && isParameter.test(field);
      if (value === undefined) continue;
      if (value === null || operator === "is_null")
        filters[field + (value === false ? "__is_not_null" : "__is_null")] = true;
      else if (operator !== "eq") filters[`${field}__${operator}`] = value;
      else filters[isReserved ? `${field}__in` : field] = isReserved ? [value] : value;
    }
  }
  return filters;
}

function parametersOf(query: AnyQuery): Record<string, unknown> {
  const { orderBy } = query;
  // A spread of filters took most of the time of a call.
  return Object.assign(filtersOf(query.where, true), {
    select_fields: query.select?.join(),
    order_by: orderBy?.replace(/^-/, ""),
    order: orderBy?.startsWith("-") ? "DESC" : undefined,
    limit: query.limit,
    page: query.page,
    offset: query.offset,
    page__after: query.after,
    page__before: query.before,
    page__total: query.total,
  });
}

/** `ask` sends a request with these parameters. */
export function lazyQuery<Row>(
  query: AnyQuery,
  ask: (parameters: Record<string, unknown>) => Promise<Success>,
): Query<Row, ErrorCode> {
  const position = query.page ?? query.offset;
  const isPaged = (position ?? query.after ?? query.before) !== undefined;
  // The service takes a total only with a page.
  const { total: _, ...withoutTotal } = query;
  const askRows = () =>
    callOf(ask(parametersOf(isPaged ? query : withoutTotal)), dataOf as (success: Success) => Row[]);
  const askPage = (changed: object) => callOf(ask(parametersOf({ ...query, ...changed })), pageOf<Row>);
  async function* pages(): AsyncGenerator<Page<Row>> {
    if (position !== undefined) throw new TypeError("An iteration takes no page and no offset.");
    const isBackwards = query.before !== undefined;
    let cursor: string | null = (isBackwards ? query.before : query.after) ?? "start";
    while (cursor !== null) {
      const page: Page<Row> = await askPage({
        limit: query.limit ?? 100,
        [isBackwards ? "before" : "after"]: cursor,
      });
      yield page;
      cursor = isBackwards ? page.previous : page.next;
    }
  }
  let rows: PromiseLike<Row[]> | null = null;
  return {
    // biome-ignore lint/suspicious/noThenProperty: the request goes out when the query is awaited
    then(onRows, onError) {
      rows ??= askRows();
      return rows.then(onRows, onError);
    },
    result: () => askRows().result(),
    page: () => askPage(isPaged ? {} : { after: "start" }),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.rows;
    },
  };
}

function pageOf<Row>(success: Success): Page<Row> {
  const { has_more, total_pages, ...rest } = success.pagination as Record<string, unknown>;
  const page = { rows: success.data, next: null, previous: null, ...rest, hasMore: has_more };
  return (total_pages === undefined ? page : { ...page, totalPages: total_pages }) as Page<Row>;
}
