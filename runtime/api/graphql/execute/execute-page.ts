import { pageType } from "../../../../vocabulary/graphql/names.ts";
import type { CursorPagination, Total } from "../../../core/http/index.ts";
import {
  keysetPage,
  type PageApi,
  readTotal,
  readWithHooks,
  rowValues,
} from "../../../data/operations/index.ts";
import { filtersShape, keysetShape } from "../../../data/sql/index.ts";
import { graphqlName } from "../plan/list-arguments.ts";
import type { GraphqlContext } from "../plan/model-registry.ts";
import type { AuthorizedList, PageFieldName, PageRoot } from "../plan/plan-list.ts";
import { pageStatement } from "../statements/list-statement.ts";
import { StatementBuilder } from "../statements/object-sql.ts";
import { listsShape, listValues, readPage } from "./read-text.ts";

const graphql: PageApi = { name: "graphql", nameOf: graphqlName };

/** A page by cursor: its rows as JSON text. */
interface Page {
  readonly data: string;
  readonly pagination: CursorPagination;
  /** Null if the request does not select it. */
  readonly total: Total | null;
}

/**
 * Reads a page by cursor as JSON text: its rows with all joined rows, and its total if the request selects
 * it.
 */
export async function readPageRoot(
  root: PageRoot,
  context: GraphqlContext,
  authorized: AuthorizedList,
): Promise<string> {
  const { call, operation, input } = authorized;
  const page = await readWithHooks(
    call,
    operation,
    input,
    (wanted, searchIn) => readRows(root, context, authorized, wanted, searchIn),
    (rows) => rows.map(root.hooked.toAnswer),
  );
  const texts = textsOf(root, page);
  return `{${root.items.map(({ key, name }) => `${JSON.stringify(key)}:${texts[name]}`).join(",")}}`;
}

function textsOf({ member }: PageRoot, { data, pagination, total }: Page): Record<PageFieldName, string> {
  return {
    rows: data,
    next: JSON.stringify(pagination.next),
    previous: JSON.stringify(pagination.previous),
    has_more: String(pagination.has_more),
    total: String(total?.total ?? null),
    estimated: String(total === null ? null : (total.estimated ?? false)),
    __typename: JSON.stringify(pageType(member.model)),
  };
}

async function readRows(
  root: PageRoot,
  context: GraphqlContext,
  { call, grant, operation, input: sent, below }: AuthorizedList,
  input: AuthorizedList["input"],
  searchIn: readonly string[],
): Promise<Page> {
  const list = { call, grant, operation, sent, input, searchIn };
  if (input.cursor === null) throw new Error("a page without a cursor");
  const keyset = keysetPage(list, input.cursor, graphql);
  const hooked = call.entry.hooks[`after_${operation}`] !== undefined;
  const selection = hooked ? root.hooked.selection : root.selection;
  const roleKey = context.registry.roleKey(call.principal);
  const shape = `#${root.id} ${operation} ${roleKey} ${searchIn.length} ${filtersShape(input.filters)} ${keysetShape(keyset.keyset)} ${listsShape(below)}`;
  const make = () =>
    pageStatement(
      selection,
      grant.scope,
      searchIn,
      keyset.keyset,
      new StatementBuilder(context, [input, ...below]),
    );
  const values = [...rowValues(input, searchIn), ...keyset.values, ...listValues(below)];
  const sought = { ...input, filters: [input, ...below].flatMap(({ filters }) => filters) };
  const [page, total] = await Promise.all([
    readPage(call, shape, make, values, keyset, context.mostBytes, sought),
    input.total === "none" ? null : readTotal(list, input.total),
  ]);
  return { ...page, total };
}
