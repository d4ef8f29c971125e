import type { Awaitable } from "../../core/concurrency/index.ts";
import type { Queryable } from "../../core/database/index.ts";
import type { Grant } from "../../models/access/index.ts";
import { anchorLevels, type BindValue, type Plan } from "../sql/index.ts";
import { type OperationContext, planOf, runPlan } from "./operation-context.ts";

/** Statements that lock before a write. */
export interface Locking {
  /** How many; none where the condition of the write rests only on rows that are found. */
  readonly levels: number;
  /** Tells apart writes whose SQL differs. */
  readonly shape: string;
  /** Those of the write. */
  readonly values: readonly BindValue[];
  /** Ids to which the write keeps from the beginning; else null. */
  readonly pinned?: readonly string[] | null;
  /** The statement of a level; `locked` once rows were locked that are there, whose ids then follow the other values. */
  readonly plan: (level: number, locked: boolean) => Plan;
}

/** What is locked before a write. Arrays are texts as PostgreSQL writes them. */
export interface Locked {
  /** Of the rows that it may touch; null where it may touch all that it finds. */
  readonly ids: BindValue;
  /** Of the rows that its condition begins at where it rests on absence. */
  readonly anchors: string | null;
}

/**
 * Locks what a write's condition rests on where that is absence, so that the write's own statement sees whatever came before
 * the locks.
 */
export function lockAnchors(
  call: OperationContext,
  grant: Grant,
  work: { readonly connection: Queryable },
  locking: Locking,
): Awaitable<Locked> {
  const { levels, pinned = null } = locking;
  return levels === 0 ? { ids: pinned, anchors: null } : lockLevels(call, grant, work, locking);
}

async function lockLevels(
  call: OperationContext,
  grant: Grant,
  { connection }: { readonly connection: Queryable },
  { levels, shape, values, pinned = null, plan }: Locking,
): Promise<Locked> {
  let ids: BindValue = pinned;
  const anchors: string[] = [];
  for (let level = 0; level < levels; level++) {
    const locked = ids !== null;
    const made = planOf(call, grant, `lock ${level} ${shape}`, () => plan(level, locked));
    const [row] = await runPlan(call, connection, made, ids === null ? values : [...values, ids]);
    ids = row?.[0] ?? null;
    anchors.push(...(row?.slice(1) ?? []).flatMap((array) => array?.slice(1, -1) || []));
  }
  return { ids, anchors: `{${anchors.join()}}` };
}

/** How many statements lock before a write to rows that are there. */
export function levelsOfRows({ model, services }: OperationContext, { scope }: Grant): number {
  return anchorLevels(scope, model, services.models, "row");
}

/** How many statements lock before records are added. */
export function levelsOfRecords({ model, services }: OperationContext, { insert }: Grant): number {
  return anchorLevels(insert, model, services.models, "record");
}
