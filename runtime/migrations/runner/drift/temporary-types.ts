import { elementTypeOf } from "../../../../vocabulary/migrations/catalog.ts";
import type {
  Column,
  ColumnType,
  EnumTypeName,
  Step,
} from "../../../../vocabulary/migrations/migration-steps.ts";

type ColumnParts = Pick<Column, "type" | "values">;
type AddValue = Extract<Step, { readonly step: "add_enum_value" }>;

/**
 * The same steps on temporary enum types, because the types of the database can have other values. Each type is made with a
 * placeholder for every value that a later step adds, since a transaction cannot use a value that it adds.
 */
export function onTemporaryTypes(steps: readonly Step[]): (step: Step) => Step {
  const made = new Map<string, string[]>();
  const current = new Map<string, string[]>();
  const placeholders = new Map<AddValue, string>();
  for (const step of steps) {
    for (const { type, values } of columnsOf(step))
      if (values !== undefined && !made.has(elementTypeOf(type) ?? type)) {
        made.set(elementTypeOf(type) ?? type, [...values]);
        current.set(elementTypeOf(type) ?? type, [...values]);
      }
    const [first, now] =
      step.step === "add_enum_value" || step.step === "rename_enum_value"
        ? [made.get(step.type), current.get(step.type)]
        : [];
    if (first === undefined || now === undefined) continue;
    if (step.step === "rename_enum_value") now[now.indexOf(step.value)] = step.to;
    if (step.step !== "add_enum_value") continue;
    const at = "before" in step.place ? now.indexOf(step.place.before) : now.indexOf(step.place.after) + 1;
    const placeholder = `kirak__value_${placeholders.size}`;
    placeholders.set(step, placeholder);
    first.splice(at, 0, placeholder);
    now.splice(at, 0, step.value);
  }
  return (step) => onTemporary(step, made, placeholders);
}

function columnsOf(step: Step): readonly ColumnParts[] {
  if (step.step === "create_table") return step.columns;
  if (step.step === "add_column") return [step.column];
  return step.step === "set_type" ? [step] : [];
}

function onTemporary(
  step: Step,
  made: ReadonlyMap<string, readonly string[]>,
  placeholders: ReadonlyMap<AddValue, string>,
): Step {
  const typed = <Part extends ColumnParts>(part: Part): Part => {
    const values = made.get(elementTypeOf(part.type) ?? part.type);
    return { ...part, type: temporary(part.type), ...(part.values && values ? { values } : {}) };
  };
  switch (step.step) {
    case "create_table":
      return { ...step, columns: step.columns.map(typed) };
    case "add_column":
      return { ...step, column: typed(step.column) };
    case "set_type":
      return typed(step);
    case "set_default":
      return { ...step, type: temporary(step.type) };
    case "add_enum_value": {
      const { table, value: to } = step;
      const value = placeholders.get(step) ?? to;
      return { step: "rename_enum_value", table, type: temporaryEnum(step.type), value, to };
    }
    case "rename_enum_value":
      return { ...step, type: temporaryEnum(step.type) };
    default:
      return step;
  }
}

function temporary(type: ColumnType): ColumnType {
  const element = elementTypeOf(type);
  if (element?.endsWith('"')) return `${temporaryEnum(element)}[]`;
  return type.endsWith('"') ? temporaryEnum(type) : type;
}

/** `pg_temp."sales.mood"` for `"sales"."mood"`: no two schemas share a type. */
function temporaryEnum(type: string): EnumTypeName {
  return `pg_temp."${type.slice(1, -1).replace('"."', ".")}"`;
}
