import type { Queryable } from "../../database/index.ts";
import { afterHook } from "../../operations/after-hook.ts";
import type { ListInput } from "../../operations/input/list-input.ts";
import { applyBeforeHook, pageValues, searchedFields } from "../../operations/list.ts";
import { hookContext, type OperationContext, runPlan } from "../../operations/operation-context.ts";
import { pageTooLarge } from "../../sql/rows-json.ts";
import { type Plan, plan } from "../../sql/sql.ts";
import { filtersShape } from "../../sql/where-sql.ts";
import type { GraphqlContext } from "../plan/graphql-context.ts";
import { type AdmittedList, admitList, type ListRoot } from "../plan/plan-list.ts";
import { listJson } from "../statements/object-sql.ts";
import { StatementBuilder } from "../statements/statement-builder.ts";
import type { Task } from "./task.ts";

/** Prepares a list: its rows with all that is joined to them are one statement. */
export function prepareList(root: ListRoot, asking: GraphqlContext): Task<void> {
  const admitted = admitList(root, asking);
  return { key: root.key, run: () => readList(root, asking, admitted) };
}

async function readList(root: ListRoot, asking: GraphqlContext, admitted: AdmittedList): Promise<string> {
  const { call, operation } = admitted;
  const { hooks } = call.entry;
  const before = hooks[`before_${operation}`];
  const after = hooks[`after_${operation}`];
  const input =
    before === undefined ? admitted.input : await applyBeforeHook(call, operation, admitted.input);
  const text = await readRows(root, asking, { ...admitted, input });
  if (after === undefined) return text;
  const rows: Record<string, unknown>[] = JSON.parse(text);
  const shape = (changed: typeof rows) => changed.map(root.hooked.toAnswer);
  return afterHook(after, rows, () => hookContext(call), shape);
}

function readRows(root: ListRoot, asking: GraphqlContext, admitted: AdmittedList): Promise<string> {
  const { call, grant, operation, input, below } = admitted;
  const { model, view, entry, services } = call;
  const { catalogue, principal } = asking;
  const searchIn = searchedFields(model, view, operation, input);
  const lists = [input, ...below];
  const selection = entry.hooks[`after_${operation}`] === undefined ? root.selection : root.hooked.selection;
  const key = `#${root.id} ${operation} ${catalogue.roleKey(principal.role)} ${searchIn.length} ${shapeOf(lists)}`;
  const statement = services.plans.of(key, () =>
    plan(listJson(selection, grant.scope, searchIn, new StatementBuilder(asking, lists))),
  );
  const values = [...pageValues(input, searchIn), ...below.flatMap((list) => pageValues(list, []))];
  return readText(call, call.reads(), statement, values);
}

/** Runs a statement that answers one JSON text. Errors: 400 `VALIDATION_ERROR` where that is too long. */
export async function readText(
  call: OperationContext,
  connection: Queryable,
  statement: Plan,
  values: Parameters<Plan["bind"]>[0],
): Promise<string> {
  const [row] = await runPlan(call, connection, statement, values);
  const text = row?.[0];
  if (text == null) throw pageTooLarge();
  return text;
}

/** Text that tells apart lists whose SQL differs. */
export function shapeOf(lists: readonly ListInput[]): string {
  return lists
    .map(({ filters, order_by, descending }) => `${filtersShape(filters)} ${order_by ?? "id"} ${descending}`)
    .join("|");
}
