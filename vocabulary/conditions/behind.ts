import { type Condition, isOtherField, type Operand, rowItself, type Subject } from "./conditions.ts";

/**
 * The same condition about the row at the end of a path over `belongs_to` and `has_one` relations. `this` becomes that row too. An
 * empty path changes nothing.
 */
export function conditionBehind(path: string, condition: Condition, depth = 0): Condition {
  const name = (written: string) => nameBehind(path, written, depth);
  const subject = (field: Subject) => (typeof field === "string" ? name(field) : field);
  switch (condition.op) {
    case "and":
    case "or":
      return {
        op: condition.op,
        conditions: condition.conditions.map((each) => conditionBehind(path, each, depth)),
      };
    case "not":
      return { op: "not", condition: conditionBehind(path, condition.condition, depth) };
    case "exists": {
      const { where } = condition;
      const moved = where === null ? null : conditionBehind(path, where, depth + 1);
      return { op: "exists", path: name(condition.path), where: moved };
    }
    case "in":
    case "not_in":
    case "overlaps":
    case "between":
    case "contains":
    case "is_null":
    case "is_not_null":
      return { ...condition, field: subject(condition.field) };
    default: {
      const operand = (value: Operand): Operand =>
        isOtherField(value) ? { field: name(value.field) } : value;
      return { op: condition.op, field: subject(condition.field), value: operand(condition.value) };
    }
  }
}

/** A name of a condition behind a path: of a field, or of the rows of an EXISTS. `depth` is the number of EXISTS around it. */
export function nameBehind(path: string, name: string, depth: number): string {
  const start = path === "" ? [] : [path];
  const [first, ...rest] = name.split(".");
  if (depth === 0) return [...start, name].join(".");
  return first === rowItself ? [rowItself, ...start, ...rest].join(".") : name;
}
