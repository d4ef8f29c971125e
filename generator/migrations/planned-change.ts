import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { Consequence } from "./consequences.ts";
import type { PlannedChange, StepClass } from "./schema.ts";

/** The effects of a step on users of the table. */
export interface StepEffects {
  /** Whether PostgreSQL rewrites the whole table. */
  readonly rewrites?: boolean;
  /** Whether older instances fail after it. The default depends on the kind of the step. */
  readonly breaksOlder?: boolean;
}

/** Makes a change from a step and its class. The id names the kind of the step and its target. */
export function plannedChange(
  step: Step,
  kind: StepClass,
  consequence?: Consequence,
  { rewrites = false, breaksOlder = takesAway(step) }: StepEffects = {},
): PlannedChange {
  const id = `${step.step}:${subject(step)}`;
  return {
    ...{ step, class: kind, id, ...consequence },
    ...(rewrites ? { rewrites } : {}),
    ...(breaksOlder ? { breaksOlder } : {}),
  };
}

/** Whether a step removes a name or a type that statements of older code use. */
function takesAway({ step }: Step): boolean {
  return [
    "rename_table",
    "rename_column",
    "drop_table",
    "drop_column",
    "set_id_type",
    "rename_enum_value",
  ].includes(step);
}

function subject(step: Step): string {
  switch (step.step) {
    case "create_table":
    case "drop_table":
    case "rename_table":
    case "set_id_type":
      return step.table;
    case "add_column":
      return `${step.table}.${step.column.name}`;
    case "drop_column":
    case "rename_column":
    case "set_type":
    case "set_nullable":
    case "set_default":
      return `${step.table}.${step.column}`;
    case "add_primary_key":
      return `${step.table}.${step.primaryKey.name}`;
    case "add_index":
      return `${step.table}.${step.index.name}`;
    case "add_foreign_key":
      return `${step.table}.${step.foreignKey.name}`;
    case "add_check":
      return `${step.table}.${step.check.name}`;
    case "add_enum_value":
    case "rename_enum_value":
      return `${step.type.replaceAll('"', "")}.${step.value}`;
    default:
      return `${step.table}.${step.name}`;
  }
}
