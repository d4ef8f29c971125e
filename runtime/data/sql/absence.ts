import type { Scope } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import { anchorSql, type RulesRows } from "./conditions/anchor-sql.ts";
import { type Anchor, anchorsOf } from "./conditions/anchors.ts";
import type { Models } from "./conditions/condition-rows.ts";
import { visitsItself } from "./conditions/visited-models.ts";
import { join, type Sql } from "./sql.ts";

/** What a write is judged by: a row that is there, or one that it adds. */
export type Judged = "row" | "record";

/**
 * How many statements must lock before a write, since its condition rests on rows that are not there. What comes to be between
 * the beginning of a statement and the lock that it waits for is not seen by that statement; the next one sees it.
 */
export function anchorLevels(scope: Scope, model: Model, models: Models, judged: Judged): number {
  return 1 + Math.max(-1, ...anchorsFor(scope, model, models, judged).map(({ level }) => level));
}

/** The locks of one level, as columns of a select list. */
export function anchorColumns(
  scope: Scope,
  level: number,
  rows: RulesRows,
  models: Models,
  judged: Judged,
): Sql[] {
  return anchorsFor(scope, rows.model, models, judged)
    .filter((anchor) => anchor.level === level && anchor.steps.length > 0)
    .map((anchor) => anchorSql(anchor, rows, models));
}

/** Columns of a select list, of which each counts once. */
export function columnsOnce(columns: readonly Sql[]): Sql {
  return join([...new Map(columns.map((column) => [JSON.stringify(column.parts), column])).values()], ", ");
}

/** To a row that is added none refers yet. */
function anchorsFor(scope: Scope, model: Model, models: Models, judged: Judged): readonly Anchor[] {
  if (scope.kind !== "some") return [];
  const anchors = anchorsOf(scope.when, model, models);
  if (judged === "row") return anchors;
  return anchors.filter(({ steps: [first] }) => first?.hop.relation.kind === "belongs_to");
}

/** Whether the rows that a write may touch depend on other rows of the same model. */
export function restsOnItself(scope: Scope, model: Model, models: Models): boolean {
  return scope.kind === "some" && visitsItself(scope.when, model, models);
}
