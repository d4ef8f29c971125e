import type { Queryable } from "../../core/database/index.ts";
import { parseStored } from "../../core/text/index.ts";
import type { RoleView, Scope } from "../../models/access/index.ts";
import { namesWithId, rowsJson, rowWriter, selectByIds, selectOpenByIds } from "../sql/index.ts";
import { type OperationContext, runPlan } from "./operation-context.ts";

/** Rows as hooks and code get them. */
export type Rows = Record<string, unknown>[];

/** The rows with these ids as they are now, in the order of the list, as far as a view shows them; those that are gone are left out. */
export async function rowsByIds(
  call: OperationContext,
  connection: Queryable,
  view: RoleView,
  ids: readonly string[],
): Promise<Rows> {
  const { model, services } = call;
  if (ids.length === 0) return [];
  // Whoever may read nothing of a row is shown that it is there.
  const names = view.readable.length === 0 ? ["id"] : view.readable;
  const asked = namesWithId(model, names);
  const plan = services.plans.of(`${model.key} by ids ${view.id}`, () => selectByIds(model, asked));
  const rows = await runPlan(call, connection, plan, [ids]);
  return parseStored(rowsJson(rows, rowWriter(model, view.readable, 0, asked.indexOf("id"))));
}

/** Those of the rows with these ids that a scope opens, by id as PostgreSQL writes it, as far as the caller's view shows them. */
export async function openRows(
  call: OperationContext,
  connection: Queryable,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Rows[number]>> {
  const { model, view, services } = call;
  if (ids.length === 0 || scope.kind === "none") return new Map();
  const plan = services.plans.of(`${model.key} open by ids ${view.id}`, () =>
    selectOpenByIds(model, services.models, scope, view.readable),
  );
  const rows = await runPlan(call, connection, plan, [ids]);
  const read: Rows = parseStored(rowsJson(rows, rowWriter(model, view.readable, 1, 0)));
  return new Map(read.map((row, at) => [rows[at]?.[0] ?? "", row]));
}
