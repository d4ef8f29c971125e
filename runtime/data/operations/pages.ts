import type { TextRow } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { SuccessResponse, Total } from "../../core/http/index.ts";
import type { Model } from "../../models/index.ts";
import {
  type BindValue,
  filtersShape,
  keysetShape,
  namesWithId,
  type Plan,
  pageShape,
  rowsJson,
  rowWriter,
  selectKeyset,
  selectPage,
  writerOf,
} from "../sql/index.ts";
import { readTotal } from "./count.ts";
import { type KeysetPage, keysetPage, type PageApi } from "./keyset-page.ts";
import { type Listing, rowsOf } from "./listing.ts";
import { planOf, readsOf, runPlan } from "./operation-context.ts";
import { rowValues } from "./request-input.ts";

const rest: PageApi = { name: "rest", nameOf: (parameter) => parameter };

/** The rows of a list as a response. */
export async function readPage(list: Listing): Promise<SuccessResponse> {
  const { cursor, paginated, total } = list.input;
  const keyset = cursor === null ? null : keysetPage(list, cursor, rest);
  const counts = keyset === null ? paginated && total === "estimated" : total !== "none";
  const [page, counted] = await Promise.all([
    keyset === null ? readOffsetPage(list) : readKeysetPage(list, keyset),
    counts ? readTotal(list, total) : null,
  ]);
  if (counted === null || page.pagination === undefined) return page;
  return { ...page, pagination: { ...page.pagination, ...pagesOf(list, counted) } };
}

/** The total, and for a page by number the number of pages. */
function pagesOf({ input: { paginated, limit } }: Listing, { total, ...estimated }: Total) {
  return { total, ...(paginated && { total_pages: Math.ceil(total / limit) }), ...estimated };
}

async function readOffsetPage(list: Listing): Promise<SuccessResponse> {
  const { call, grant, input, searchIn } = list;
  const { limit, offset, descending, paginated, total } = input;
  const counted = paginated && total === "exact";
  // Without a count, one more row shows whether others follow.
  const bounds = { limit: paginated && !counted ? limit + 1 : limit, offset };
  const names = namesOf(list);
  const columns = namesWithId(call.model, names);
  const orderBy = input.order_by ?? "id";
  const shape = `${rowsShape(list)} ${orderBy} ${descending} ${counted} ${pageShape(bounds)}`;
  const plan = planOf(call, grant, shape, () =>
    selectPage({ ...rowsOf(list), columns, orderBy, descending, ...bounds, total: counted }),
  );
  const values = [...rowValues(input, searchIn), bounds.limit, offset];
  const rows = await runList(list, plan, values);
  if (input.all === true && rows.length > call.model.maxLimit) throw tooMany(call.model);
  const first = counted ? 2 : 0;
  const idAt = columns.includes("id") ? first + columns.indexOf("id") : undefined;
  const write = writerOf(plan, () => rowWriter(call.model, names, first, idAt));
  const found = counted ? rows.filter((row) => row[1] !== null) : rows.slice(0, limit);
  const answer = { message: messageOf(list), data: rowsJson(found, write) };
  if (!paginated) return answer;
  const page = { limit, page: Math.floor(offset / limit) + 1, offset };
  if (!counted) return { ...answer, pagination: { ...page, has_more: rows.length > limit } };
  const all = Number(rows[0]?.[0] ?? 0);
  const pages = { total: all, total_pages: Math.ceil(all / limit), has_more: offset + limit < all };
  return { ...answer, pagination: { ...page, ...pages } };
}

async function readKeysetPage(
  list: Listing,
  { keyset, values, finish }: KeysetPage,
): Promise<SuccessResponse> {
  const { call, grant, input, searchIn } = list;
  const names = namesOf(list);
  const plan = planOf(call, grant, `${rowsShape(list)} ${keysetShape(keyset)}`, () =>
    selectKeyset({ ...rowsOf(list), ...keyset, columns: names }),
  );
  const found = await runList(list, plan, [...rowValues(input, searchIn), ...values]);
  const write = writerOf(plan, () => rowWriter(call.model, names, 0, names.length + 1));
  const { rows, pagination } = finish(found);
  return { message: messageOf(list), data: rowsJson(rows, write), pagination };
}

async function runList(
  { call, operation, input }: Listing,
  plan: Plan,
  values: BindValue[],
): Promise<TextRow[]> {
  const rows = await runPlan(call, readsOf(call), plan, values, null, input);
  // Without an after-hook, the text of the rows is the response.
  if (call.entry.hooks[`after_${operation}`] === undefined) call.trace.begin("serialize");
  return rows;
}

function messageOf({ call, operation }: Listing): string {
  return `${call.model.slug} ${operation} succeeded`;
}

function namesOf({ call, input }: Listing): readonly string[] {
  return input.select_fields ?? call.view.readable;
}

/** Distinguishes lists with different SQL. */
function rowsShape({ input, searchIn }: Listing): string {
  return `${filtersShape(input.filters)} ${searchIn.length} ${input.select_fields?.join() ?? ""}`;
}

/** The caller requested all rows, and would not notice that some are missing. */
function tooMany({ key, maxLimit }: Model): ServiceError {
  const message = `A fetch of all ${key} found more than ${maxLimit}, the max_limit of the model. Add a limit or a filter.`;
  return new ServiceError("INTERNAL_ERROR", message);
}
