import type { ErrorCode } from "./errors.ts";
import { callOf, dataOf, type Success } from "./request.ts";
import type { Page, Query, ReadQuery } from "./types.ts";

/** A query of any model. */
export interface AnyQuery extends ReadQuery<object, string> {
  select?: readonly string[] | undefined;
}

/** In a query string these are parameters, so a filter of such a name is in `where`. */
const isParameter = /^(limit|page|offset|order(_by)?|select_fields|search_term)$/;

/**
 * The filters of a nested `where`, by the names of the service: `price__lt`, `author_id`, `x__is_null`. It throws for a filter without
 * a value, because without the filter a request would reach more rows.
 */
export function filtersOf(where: object = {}, isRead = false): Record<string, unknown> {
  const filters: Record<string, unknown> = {};
  for (const [field, condition] of Object.entries(where)) {
    const isNested = Object(condition) === condition && !Array.isArray(condition);
    const operators = Object.entries<unknown>(isNested ? condition : { eq: condition });
    const lacksValue = ([operator, value]: [string, unknown]) =>
      value === undefined || (value === null && operator !== "eq");
    if (!operators[0] || operators.some(lacksValue)) throw new TypeError(`where.${field} has no value.`);
    for (const [operator, value] of operators) {
      if (value === null || operator === "is_null")
        filters[field + (value === false ? "__is_not_null" : "__is_null")] = true;
      else if (operator !== "eq") filters[`${field}__${operator}`] = value;
      else filters[isRead && isParameter.test(field) ? `where[${field}]` : field] = value;
    }
  }
  return filters;
}

/** `ask` sends a request with these parameters. */
export function lazyQuery<Row>(
  { where, select, orderBy, limit, page, offset, after, before, total }: AnyQuery,
  search_term: string | undefined,
  ask: (parameters: object) => Promise<Success>,
): Query<Row, ErrorCode> {
  const position = page ?? offset;
  const isPaged = (position ?? after ?? before) !== undefined;
  // A spread of filters took most of the time of a call.
  const parameters = Object.assign(filtersOf(where, true), {
    select_fields: select?.join(),
    order_by: orderBy?.replace(/^-/, ""),
    order: orderBy?.startsWith("-") ? "DESC" : undefined,
    limit,
    page,
    offset,
    page__after: after,
    page__before: before,
    search_term,
  });
  const askWith = (changed: object) => ask({ ...parameters, ...changed });
  const askRows = () =>
    // The service takes a total only with a page.
    callOf(askWith({ page__total: isPaged ? total : undefined }), dataOf as (success: Success) => Row[]);
  const askPage = (changed: object) => callOf(askWith({ page__total: total, ...changed }), pageOf<Row>);
  async function* pages(): AsyncGenerator<Page<Row>> {
    if (position !== undefined) throw new TypeError("An iteration takes no page or offset.");
    const [name, direction] =
      before === undefined ? (["page__after", "next"] as const) : (["page__before", "previous"] as const);
    let cursor: string | null = before ?? after ?? "start";
    while (cursor !== null) {
      const found: Page<Row> = await askPage({ limit: limit ?? 100, [name]: cursor });
      yield found;
      cursor = found[direction];
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
    page: () => askPage(isPaged ? {} : { page__after: "start" }),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.rows;
    },
  };
}

function pageOf<Row>(success: Success): Page<Row> {
  const { has_more, total_pages, ...rest } = success.pagination as Record<string, unknown>;
  return {
    rows: success.data,
    next: null,
    previous: null,
    ...rest,
    hasMore: has_more,
    ...(total_pages === undefined ? {} : { totalPages: total_pages }),
  } as Page<Row>;
}
