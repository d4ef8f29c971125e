import type { CheckCondition } from "../../../vocabulary/conditions/check-tree.ts";
import type { Comparison, Condition, Operand, Subject } from "../../../vocabulary/conditions/conditions.ts";

/** The possible results of a condition, for any rows. */
export interface Outcomes {
  readonly holds: boolean;
  readonly fails: boolean;
  /** The result NULL of SQL. */
  readonly unknown: boolean;
}

/** A comparison of two values. Lists and ranges count as several. */
export interface ComparedTerm {
  readonly op: Comparison | "contains";
  readonly left: Subject;
  readonly right: Operand;
}

/** A kind of callers: possible results of comparisons, and whether a column of the caller is NULL. */
export interface CallerKind {
  compared(comparison: ComparedTerm): Outcomes;
  readonly hasRow: boolean;
  /** Whether a field of the row is known to be NULL. */
  isNull?(field: string): boolean;
}

/** All results are possible. */
export const anyOutcome: Outcomes = { holds: true, fails: true, unknown: true };
export const unknownOutcome: Outcomes = { holds: false, fails: false, unknown: true };

const holds: Outcomes = { holds: true, fails: false, unknown: false };
const fails: Outcomes = { holds: false, fails: true, unknown: false };

/** Possible results of a condition for one kind of callers. The answer can have too many, never too few. */
export function outcomesOf(condition: Condition, caller: CallerKind): Outcomes {
  switch (condition.op) {
    case "and":
      return allOf(condition.conditions.map((part) => outcomesOf(part, caller)));
    case "or":
      return anyOf(condition.conditions.map((part) => outcomesOf(part, caller)));
    case "not":
      return opposite(outcomesOf(condition.condition, caller));
    case "in":
    case "not_in": {
      const op = condition.op === "in" ? "eq" : "ne";
      const each = condition.values.map((right) => caller.compared({ op, left: condition.field, right }));
      return op === "eq" ? anyOf(each) : allOf(each);
    }
    case "contains":
      return caller.compared({ op: "contains", left: condition.field, right: condition.value });
    case "overlaps":
      return anyOf(
        condition.values.map((right) => caller.compared({ op: "contains", left: condition.field, right })),
      );
    case "between": {
      const { field: left, from, to } = condition;
      return allOf([
        caller.compared({ op: "gte", left, right: from }),
        caller.compared({ op: "lte", left, right: to }),
      ]);
    }
    case "is_null":
      return nullity(condition.field, caller);
    case "is_not_null":
      return opposite(nullity(condition.field, caller));
    case "exists":
      return condition.where === null || outcomesOf(condition.where, caller).holds
        ? { holds: true, fails: true, unknown: false }
        : fails;
    default:
      return caller.compared({ op: condition.op, left: condition.field, right: condition.value });
  }
}

function nullity(field: Subject, { hasRow, isNull }: CallerKind): Outcomes {
  const known = typeof field === "string" ? isNull?.(field) === true : !hasRow;
  return known ? holds : { holds: true, fails: true, unknown: false };
}

/** The possible results of the negation. */
export function opposite({ holds, fails, unknown }: Outcomes): Outcomes {
  return { holds: fails, fails: holds, unknown };
}

function allOf(parts: readonly Outcomes[]): Outcomes {
  return {
    holds: parts.every((part) => part.holds),
    fails: parts.some((part) => part.fails),
    unknown: parts.some((part) => part.unknown) && parts.every((part) => part.holds || part.unknown),
  };
}

function anyOf(parts: readonly Outcomes[]): Outcomes {
  return opposite(allOf(parts.map(opposite)));
}

/** Whether rows with NULL in some columns can violate a check. An unknown result does not. */
export function canFail(condition: CheckCondition, isNull: (column: string) => boolean): boolean {
  const compared = ({ left, right }: ComparedTerm) => {
    const fields = [left, typeof right === "object" && "field" in right ? right.field : null];
    return fields.some((field) => typeof field === "string" && isNull(field)) ? unknownOutcome : anyOutcome;
  };
  return outcomesOf(condition, { compared, hasRow: false, isNull }).fails;
}
