import { coversRole, everyRole, guestRole, signedInRole } from "../../vocabulary/accounts/role-names.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import {
  type ConditionNames,
  type ConditionRelation,
  type Disjunct,
  disjunctOf,
  isCovered,
  type NamedHop,
  type ScopeModel,
  unprovenOf,
} from "../conditions/index.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import { writePhrases } from "./lint-access.ts";
import { needsIdentity } from "./lint-callers.ts";
import { expressionOf, type LintContext, type LintedModel, type LintedRule } from "./lint-context.ts";
import { calledRole } from "./lint-rows.ts";

const writesByFilter: readonly Operation[] = ["update", "delete", "destroy", "restore"];

/** Finds writes on rows that `fetch` does not open to the same role (`docs/access-rules.md#rows-that-a-write-counts`). */
export function lintWiderWrites({ models, report }: LintContext): void {
  for (const model of models) {
    for (const rule of model.rules)
      if (writesByFilter.includes(rule.operation)) lintWiderWrite(model, rule, report);
  }
}

function lintWiderWrite(model: LintedModel, rule: LintedRule, report: ReportDiagnostic): void {
  const { operation, role, text } = rule;
  const who = admittedRole(rule);
  if (who === null) return;
  const fetch = model.rules.filter(
    (other) => other.operation === "fetch" && coversRole(other.role.value, who),
  );
  if (fetch.some((other) => other.text === null)) return;
  const naming = namingOf(model.scope);
  const partOf = (each: LintedRule): Disjunct[] => {
    const expression = expressionOf(each, model.scope);
    return expression === null ? [] : [disjunctOf(expression, each.text?.value ?? "", naming)];
  };
  const known = fetch.flatMap(partOf);
  const wider = partOf(rule).filter((part) => !isCovered(part, known));
  if (text !== null && wider.length === 0) return;
  const action = writePhrases[operation]?.(`rows of "${model.definition.key}"`) ?? operation;
  const message = `${calledRole(role.value)} can ${action} without a rule to fetch them: filters of this write reveal their content`;
  const missing = [...new Set(wider.flatMap((part) => unprovenOf(part, known)))].join(" AND ");
  report("write-wider-than-fetch", role.at, message, hintOf(fetch.length > 0, missing));
}

/** `missing` are the additional requirements of fetch; empty if the write has no condition. */
function hintOf(isFetched: boolean, missing: string): string {
  if (!isFetched) return 'add a rule of "fetch" for these rows, or remove this rule';
  if (missing === "") return 'open "fetch" for these rows, or give this rule a condition of "fetch"';
  return `open "fetch" for these rows, or add to this condition: ${missing}`;
}

/** The role that a rule admits: `signed_in` for `*` if its condition is never true for guests. Null if it admits no one. */
function admittedRole({ role: { value }, condition }: LintedRule): string | null {
  if (condition === null || !needsIdentity(condition)) return value;
  if (value === guestRole) return null;
  return value === everyRole ? signedInRole : value;
}

/** Resolves names by the current models. */
function namingOf(scope: ScopeModel): ConditionNames {
  const same = (name: string) => name;
  return {
    fields: new Set(scope.columns.keys()),
    nameOf: same,
    callerColumn: same,
    pathOf(relations) {
      const hops: NamedHop[] = [];
      let at = scope;
      for (const name of relations) {
        const relation = at.relations.get(name);
        if (relation === undefined) return null;
        hops.push(hopOf(at, relation));
        at = relation.target;
      }
      return { hops, fields: new Set(at.columns.keys()), nameOf: same };
    },
  };
}

function hopOf({ model }: ScopeModel, { kind, field, references, target }: ConditionRelation): NamedHop {
  return {
    leads: `${model}.${field} ${target.model}.${references}`,
    live: target.columns.has("deleted_at"),
    first: kind === "has_one",
    many: kind === "has_many",
  };
}
