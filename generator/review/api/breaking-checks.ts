import { isDeepStrictEqual } from "node:util";
import { type CheckCondition, withColumnNames } from "../../../vocabulary/check-tree.ts";
import { mayFail } from "../../conditions/index.ts";
import type { ApiModel } from "../../emit/views/api-surface.ts";
import { conditionText } from "../../emit/views/condition-view.ts";
import type { ModelPair } from "../access/model-pairs.ts";
import type { BreakingChange } from "./breaking-fields.ts";
import type { Use } from "./callers-view.ts";

/** What callers notice of checks: further ones, those that demand something else, and new names, which answers tell. */
export function checkChanges(
  { before, after }: ModelPair,
  was: ApiModel,
  is: ApiModel,
  use: Use,
): BreakingChange[] {
  if (!use.sends) return [];
  const former = new Map(
    Object.entries(was.checks ?? {}).map(([name, condition]) => [
      name,
      withColumnNames(condition, before.nameOf),
    ]),
  );
  const known = new Set(Object.keys(was.fields).map(before.nameOf));
  const isNull = (name: string) => !known.has(name) && is.fields[name]?.default === undefined;
  return Object.entries(is.checks ?? {}).flatMap(([name, condition]): BreakingChange[] => {
    const same = namesOf(condition, former);
    if (same.includes(name)) return [];
    const [called] = same;
    if (called !== undefined)
      return [
        {
          change: `${after.key}: the check ${called} is called ${name} now`,
          notices: "whoever reads details.check",
        },
      ];
    if (!mayFail(condition, isNull)) return [];
    const how = former.has(name) ? "demands" : "is new, and demands";
    const change = `${after.key}: the check ${name} ${how} ${conditionText(condition)}${former.has(name) ? " now" : ""}`;
    return [{ change, notices: "whoever writes what breaks it" }];
  });
}

function namesOf(condition: CheckCondition, checks: ReadonlyMap<string, CheckCondition>): string[] {
  return [...checks].filter(([, other]) => isDeepStrictEqual(condition, other)).map(([name]) => name);
}
