import type { ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import type { Service } from "#runtime/server/service";
import type { TestService } from "#runtime/testing/index";
import { type AccessCell, changedBy } from "./access-report.ts";
import type { CheckCaller } from "./check-callers.ts";
import type { Expectations } from "./expectations.ts";
import type { Journal } from "./journal.ts";
import type { RuledOperation } from "./model-access.ts";
import type { Stored, StoredRow } from "./table-rows.ts";

/** A row, or a record of a new row, that was made for a rule of an operation. */
export interface RuleRow {
  /** Of a record, a number of its own. */
  readonly row: StoredRow;
  /** The caller for whom it was made. */
  readonly caller: string;
}

/** Everything that the questions share. */
export interface AccessCheck {
  readonly definition: ServiceDefinition;
  readonly app: Service;
  readonly service: TestService;
  readonly callers: readonly CheckCaller[];
  readonly expectations: Expectations;
  readonly journal: Journal;
  readonly stored: Stored;
  /** By model key and operation. */
  readonly rows: ReadonlyMap<string, readonly RuleRow[]>;
  /** The operations to ask. */
  readonly operations: ReadonlySet<string>;
  add(cell: AccessCell): void;
}

export function rowsKey(model: ModelDefinition, ruled: RuledOperation): string {
  return `${model.key}.${ruled}`;
}

export function modelOf({ definition }: AccessCheck, key: string): ModelDefinition {
  const found = definition.models.find((model) => model.key === key);
  if (found === undefined) throw new Error(`the definition has no model ${key}`);
  return found;
}

/**
 * The outcome for an answer that differs from the rules because of a hook; null if the model has none for the
 * operation. `phase` is the hook that is the more likely one.
 */
export function changedByHook(
  { app }: AccessCheck,
  model: ModelDefinition,
  operation: string,
  phase: "before" | "after",
  front: "rest" | "graphql",
): string | null {
  const entry = app.models.find((one) => one.model.key === model.key);
  const other = phase === "before" ? "after" : "before";
  const names = [`${phase}_${operation}`, `${other}_${operation}`];
  const found = names.find((name) => Object.hasOwn(entry?.hooks ?? {}, name));
  if (found !== undefined) return changedBy(found, model.key);
  const ofGraphql = [`${phase}_graphql`, `${other}_graphql`].find((name) =>
    Object.hasOwn(app.graphql.hooks, name),
  );
  return front === "graphql" && ofGraphql !== undefined ? changedBy(ofGraphql, "graphql") : null;
}
