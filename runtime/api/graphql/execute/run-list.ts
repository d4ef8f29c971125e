import { readWithHooks } from "../../../data/operations/index.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import { type AdmittedList, admitList, type ListRoot } from "../plan/plan-list.ts";
import { listStatement } from "../statements/list-statement.ts";
import { StatementBuilder } from "../statements/statement-builder.ts";
import { listsShape, listValues, readList } from "./read-text.ts";
import type { Task } from "./task.ts";

/** Prepares a list: its rows with all that is joined to them are one statement. */
export function prepareList(root: ListRoot, context: GraphqlContext): Task<void> {
  const admitted = admitList(root, context);
  return { key: root.key, run: () => readRoot(root, context, admitted) };
}

function readRoot(root: ListRoot, context: GraphqlContext, admitted: AdmittedList): Promise<string> {
  const { call, operation, input } = admitted;
  return readWithHooks(
    call,
    operation,
    input,
    (wanted, searchIn) =>
      readRows(root, context, { ...admitted, input: wanted }, searchIn).then((data) => ({ data })),
    (rows) => rows.map(root.hooked.toAnswer),
  ).then(({ data }) => data);
}

function readRows(
  root: ListRoot,
  context: GraphqlContext,
  { call, grant, operation, input, below }: AdmittedList,
  searchIn: readonly string[],
): Promise<string> {
  const roleKey = context.registry.roleKey(call.principal);
  const hooked = call.entry.hooks[`after_${operation}`] !== undefined;
  const selection = hooked ? root.hooked.selection : root.selection;
  const lists = [input, ...below];
  const shape = `#${root.id} ${operation} ${roleKey} ${searchIn.length} ${listsShape(lists)}`;
  const make = () => listStatement(selection, grant.scope, searchIn, new StatementBuilder(context, lists));
  return readList(call, shape, make, listValues(lists, searchIn), context.mostBytes, {
    ...input,
    filters: lists.flatMap(({ filters }) => filters),
  });
}
