import type { Queryable } from "../../../core/database/index.ts";
import type { CursorPagination } from "../../../core/http/index.ts";
import {
  type KeysetPage,
  type ListInput,
  type OperationContext,
  pageValues,
  readsOf,
  runPlan,
  type Sought,
} from "../../../data/operations/index.ts";
import {
  type BindValue,
  filtersShape,
  type Plan,
  pageShape,
  pageTooLarge,
  plan,
  rowsJson,
  type Sql,
  writerOf,
} from "../../../data/sql/index.ts";
import type { ListStatement, PageStatement } from "../statements/list-statement.ts";

/**
 * Runs a statement that returns one JSON text; `shape` is its cache key. Errors: 400 `VALIDATION_ERROR` if
 * the text is too long.
 */
export async function readText(
  call: OperationContext,
  connection: Queryable,
  shape: string,
  make: () => Sql,
  values: readonly BindValue[],
): Promise<string> {
  const statement = call.services.plans.of(shape, () => plan(make()));
  const [row] = await runPlan(call, connection, statement, values);
  const text = row?.[0];
  if (text == null) throw pageTooLarge();
  return text;
}

/**
 * Runs a statement whose rows become a JSON list; `shape` is its cache key. Errors: 400 `VALIDATION_ERROR` if
 * the list is too long.
 */
export function readList(
  call: OperationContext,
  shape: string,
  make: () => ListStatement,
  values: readonly BindValue[],
  mostCharacters: number,
  sought: Sought,
): Promise<string> {
  let made: ListStatement | undefined;
  const statement = call.services.plans.of(shape, () => {
    made = make();
    return plan(made.sql);
  });
  const textOf = textsOf.get(statement) ?? (made ?? make()).textOf;
  textsOf.set(statement, textOf);
  return runPlan(call, readsOf(call), statement, values, null, sought).then((rows) =>
    textOf(rows, mostCharacters),
  );
}

/** Reads a page by cursor; `shape` as above. Errors: 400 `VALIDATION_ERROR` if the page is too long. */
export async function readPage(
  call: OperationContext,
  shape: string,
  make: () => PageStatement,
  values: readonly BindValue[],
  { finish }: KeysetPage,
  mostCharacters: number,
  sought: Sought,
): Promise<{ readonly data: string; readonly pagination: CursorPagination }> {
  let made: PageStatement | undefined;
  const statement = call.services.plans.of(shape, () => {
    made = make();
    return plan(made.sql);
  });
  const write = writerOf(statement, () => (made ?? make()).write);
  const { rows, pagination } = finish(await runPlan(call, readsOf(call), statement, values, null, sought));
  return { data: rowsJson(rows, write, mostCharacters), pagination };
}

const textsOf = new WeakMap<Plan, ListStatement["textOf"]>();

/** The values of a statement's lists in the order of the builder. Only the first list can search. */
export function listValues(lists: readonly ListInput[], searchIn: readonly string[] = []): BindValue[] {
  return lists.flatMap((list, index) => pageValues(list, index === 0 ? searchIn : []));
}

/** Cache key: equal for the same SQL. */
export function listsShape(lists: readonly ListInput[]): string {
  return lists
    .map((list) => {
      const { filters, order_by, descending } = list;
      return `${filtersShape(filters)} ${order_by ?? "id"} ${descending} ${pageShape(list)}`;
    })
    .join("|");
}
