import { rowItself } from "../../vocabulary/conditions.ts";
import type { ConditionScope } from "./condition-scope.ts";
import type { FieldNames } from "./parse-condition.ts";

/** The names that a condition is read with. What a path leads to matters only where it leads somewhere. */
export function namesOf(at: ConditionScope, itself = at, depth = 0): FieldNames {
  return {
    has: (name) => at.columns.has(name),
    behind: (path) => {
      const names = path.split(".");
      const fromItself = names[0] === rowItself && (depth > 0 || !at.relations.has(rowItself));
      let end: ConditionScope | undefined = fromItself ? itself : at;
      for (const name of fromItself ? names.slice(1) : names) end = end?.relations.get(name)?.target;
      return end === undefined ? nothing : namesOf(end, itself, depth + 1);
    },
  };
}

const nothing: FieldNames = { has: () => false, behind: () => nothing };
