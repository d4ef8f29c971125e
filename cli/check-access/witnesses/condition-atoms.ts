import { conditionText } from "#generator/emit/views/condition-view";
import type { Condition } from "#vocabulary/conditions/conditions";

/** A place in the tree of a condition: which part to take at each AND and OR. NOT and EXISTS have one part. */
export type AtomPath = readonly number[];

/** A comparison, or an EXISTS. A row breaks it if the condition held without it. */
export interface Atom {
  readonly path: AtomPath;
  readonly text: string;
}

/**
 * The atoms of a condition in order: each comparison and each EXISTS. The comparisons of a NOT EXISTS are not atoms: no row can
 * break only one of them.
 */
export function atomsOf(condition: Condition, wanted = true, path: AtomPath = []): Atom[] {
  switch (condition.op) {
    case "and":
    case "or":
      return condition.conditions.flatMap((part, index) => atomsOf(part, wanted, [...path, index]));
    case "not":
      return atomsOf(condition.condition, !wanted, [...path, 0]);
    case "exists": {
      const itself = { path, text: atomText(condition, wanted) };
      if (!wanted || condition.where === null) return [itself];
      const inner = atomsOf(condition.where, wanted, [...path, 0]);
      const within = inner.map((atom) => ({
        ...atom,
        text: `EXISTS (${condition.path} WHERE ${atom.text})`,
      }));
      return [itself, ...within];
    }
    default:
      return [{ path, text: atomText(condition, wanted) }];
  }
}

function atomText(condition: Condition, wanted: boolean): string {
  return conditionText(wanted ? condition : { op: "not", condition });
}

/** A condition without an atom, which is the condition with the atom always fulfilled. Null if all rows fulfil it. */
export function withoutAtom(condition: Condition, path: AtomPath): Condition | null {
  const left = replaced(condition, path, true);
  if (left === false) throw new Error("a condition without an atom cannot be impossible");
  return left === true ? null : left;
}

/** The condition where the part at the path has a fixed truth, simplified. */
function replaced(condition: Condition, path: AtomPath, wanted: boolean): Condition | boolean {
  const [index, ...rest] = path;
  if (index === undefined) return wanted;
  switch (condition.op) {
    case "and":
    case "or": {
      const neutral = condition.op === "and";
      const parts = condition.conditions.map((part, at) =>
        at === index ? replaced(part, rest, wanted) : part,
      );
      if (parts.includes(!neutral)) return !neutral;
      const [first, ...others] = parts.filter((part) => typeof part !== "boolean");
      if (first === undefined) return neutral;
      return others.length === 0 ? first : { op: condition.op, conditions: [first, ...others] };
    }
    case "not": {
      const inner = replaced(condition.condition, rest, !wanted);
      return typeof inner === "boolean" ? !inner : { op: "not", condition: inner };
    }
    case "exists": {
      const where = condition.where === null ? true : replaced(condition.where, rest, wanted);
      if (where === false) return false;
      return { ...condition, where: where === true ? null : where };
    }
    default:
      throw new Error("the path of an atom is longer than the condition is deep");
  }
}
