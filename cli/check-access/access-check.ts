import type { FieldDefinition, ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import type { TestService } from "#runtime/testing/index";
import type { Json } from "#vocabulary/json";
import type { AccessCell } from "./access-report.ts";
import type { CheckCaller } from "./check-callers.ts";
import type { Expectations } from "./expectations.ts";
import type { Journal } from "./journal.ts";
import type { RuledOperation } from "./model-access.ts";
import type { Stored, StoredRow } from "./table-rows.ts";
import type { WatchedHooks } from "./watch-hooks.ts";

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
  readonly hooks: WatchedHooks;
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
  /** A valid value that no row has, where the field has enough values. */
  sample(field: FieldDefinition): Json;
  newUuid(): string;
}

export function rowsKey(model: ModelDefinition, ruled: RuledOperation): string {
  return `${model.key}.${ruled}`;
}

export function modelOf({ definition }: AccessCheck, key: string): ModelDefinition {
  const found = definition.models.find((model) => model.key === key);
  if (found === undefined) throw new Error(`the definition has no model ${key}`);
  return found;
}
