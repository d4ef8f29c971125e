import type { Change, ColumnType, Step, StepClass } from "./schema.ts";

/** Makes a change of a step and its class; the id names what the step touches, not how. */
export function change(step: Step, kind: StepClass): Change {
  return { step, class: kind, id: `${step.step}:${subject(step)}` };
}

function subject(step: Step): string {
  switch (step.step) {
    case "create_table":
    case "drop_table":
    case "rename_table":
      return step.table;
    case "add_column":
      return `${step.table}.${step.column.name}`;
    case "drop_column":
    case "rename_column":
    case "set_type":
    case "set_nullable":
    case "set_default":
      return `${step.table}.${step.column}`;
    case "add_index":
      return `${step.table}.${step.index.name}`;
    case "add_foreign_key":
      return `${step.table}.${step.foreignKey.name}`;
    case "add_check":
      return `${step.table}.${step.check.name}`;
    default:
      return `${step.table}.${step.name}`;
  }
}

/** Types that hold every value of the type before them. */
const wider: Readonly<Partial<Record<ColumnType, readonly ColumnType[]>>> = {
  integer: ["bigint", "double precision"],
  date: ["timestamptz(3)"],
};

/** Whether each value of one column type stays as it is in the other. */
export function typeClass(from: ColumnType, to: ColumnType): StepClass {
  const [fromLength, toLength] = [lengthOf(from), lengthOf(to)];
  if (fromLength !== null) return to === "text" || (toLength ?? 0) >= fromLength ? "widening" : "destructive";
  return wider[from]?.includes(to) ? "widening" : "destructive";
}

function lengthOf(type: ColumnType): number | null {
  const length = /^varchar\((\d+)\)$/.exec(type)?.[1];
  return length === undefined ? null : Number(length);
}
