import type { ConditionScope } from "./condition-scope.ts";
import { outside, type Standpoint, startsAtItself, within } from "./standpoint.ts";
import type { FieldNames } from "./token-reader.ts";

/** The names that a condition on a model is read with. Those behind a path matter only where it leads somewhere. */
export function namesOf(scope: ConditionScope): FieldNames {
  return namesFrom(outside(scope));
}

function namesFrom(from: Standpoint): FieldNames {
  return {
    has: (name) => from.at.columns.has(name),
    behind: (path) => {
      const names = path.split(".");
      const fromItself = startsAtItself(names, from);
      let end: ConditionScope | undefined = fromItself ? from.itself : from.at;
      for (const name of fromItself ? names.slice(1) : names) end = end?.relations.get(name)?.target;
      return end === undefined ? nothing : namesFrom(within(path, end, from));
    },
  };
}

const nothing: FieldNames = { has: () => false, behind: () => nothing };
