import { isDeepStrictEqual } from "node:util";
import type { Queryable, Transaction } from "../../core/database/index.ts";
import { invalid, ServiceError } from "../../core/errors/index.ts";
import { parseStored } from "../../core/text/index.ts";
import { appView, type Grant, type RoleView, type Scope } from "../../models/access/index.ts";
import {
  type BindValue,
  type Filter,
  lockRows,
  type MutationTarget,
  namesWithId,
  rowsJson,
  rowWriter,
  selectByIds,
  selectOpenByIds,
  targetShape,
  type Visibility,
} from "../sql/index.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";
import type { RemovalInput } from "./request-input.ts";

export interface BoundTarget {
  readonly target: MutationTarget;
  readonly values: readonly BindValue[];
}

export function targetOf(rows: RemovalInput): BoundTarget {
  if ("ids" in rows) return { target: { by: "ids" }, values: [rows.ids.map(String), rows.ids.length] };
  const { filters } = rows;
  return { target: { by: "filters", filters }, values: filters.map((filter) => filter.value) };
}

/** The rows that a before-hook has read with `rows()`. */
export class MatchedRows {
  #rows: string | null = null;
  #target: MutationTarget | null = null;
  #ids: readonly string[] = [];

  /** The last result of `rows()`; undefined if the hook did not call it. */
  get before(): Rows | undefined {
    return this.#rows === null ? undefined : parseStored(this.#rows);
  }

  /**
   * The ids of the rows that the hook has read, so that the operation changes no newer ones. Null if the hook
   * read none, or then chose other filters.
   */
  pinned(target: MutationTarget): readonly string[] | null {
    const asked = this.#target;
    if (asked?.by !== "filters" || target.by !== "filters") return null;
    return asked.filters.every((filter) => target.filters.some((other) => isSame(filter, other)))
      ? this.#ids
      : null;
  }

  /**
   * Locks and returns the matched rows of a target. Errors: those of the operation, and 400 for more rows
   * than a request can name.
   */
  async lock(
    call: OperationContext,
    grant: Grant,
    transaction: Transaction,
    { target, values }: BoundTarget,
    sees: Visibility,
  ): Promise<Rows> {
    const { model, view, services } = call;
    const columns = appView(model).readable;
    const { models, bulkLimit } = services;
    const shape = { model, models, target, scope: grant.scope, fetches: view.fetches, sees, columns };
    const plan = planOf(call, grant, `rows ${targetShape(target)}`, () => lockRows(shape));
    const rows = await transaction.savepoint(() =>
      runPlan(call, transaction, plan, [...values, bulkLimit + 1]),
    );
    if (rows.length > bulkLimit)
      throw invalid([{ field: "where", message: `matches more than ${bulkLimit} records` }]);
    const sought = target.by === "ids" ? Number(values[1]) : 1;
    if (rows.length < sought) throw recordNotFound();
    if (rows.some(([, allowed]) => allowed !== "t")) throw writeForbidden();
    this.#rows = rowsJson(rows, rowWriter(model, columns, 2, 0));
    this.#target = target;
    this.#ids = rows.map(([id]) => id ?? "");
    return parseStored(this.#rows);
  }
}

function isSame(one: Filter, other: Filter): boolean {
  return (
    one.field === other.field && one.operator === other.operator && isDeepStrictEqual(one.value, other.value)
  );
}

/** 404 for a write that matches no row, or not all named ids. */
export function recordNotFound(): ServiceError {
  return new ServiceError("NOT_FOUND", "No such record.");
}

/** 403 for a write that matches a row which the caller may not write. */
export function writeForbidden(): ServiceError {
  return new ServiceError("PERMISSION_DENIED", "Your role may not change these records.");
}

/** Rows as hooks and app code see them. */
export type Rows = Record<string, unknown>[];

/**
 * The current rows with these ids, in the order of the list, as a view shows them. Missing rows are left out.
 */
export async function rowsByIds(
  call: OperationContext,
  connection: Queryable,
  view: RoleView,
  ids: readonly string[],
): Promise<Rows> {
  const { model, services } = call;
  if (ids.length === 0) return [];
  // Without a readable field, the row is shown as `{}`.
  const names = view.readable.length === 0 ? ["id"] : view.readable;
  const asked = namesWithId(model, names);
  const plan = services.plans.of(`${model.key} by ids ${view.id}`, () => selectByIds(model, asked));
  const rows = await runPlan(call, connection, plan, [ids]);
  return parseStored(rowsJson(rows, rowWriter(model, view.readable, 0, asked.indexOf("id"))));
}

/** The rows with these ids in a scope, as the caller's view shows them, by id in PostgreSQL's text form. */
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
