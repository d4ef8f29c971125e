export {
  type Alternative,
  alternativesOf,
  fieldNamesOf,
  isCovered,
  splitAtOr,
  unprovenOf,
} from "./alternatives.ts";
export { type CompiledCondition, compileCondition } from "./compile-condition.ts";
export { findColumn, findRows } from "./condition-columns.ts";
export { type CompiledCheck, compileCheck } from "./condition-of-check.ts";
export { type ConditionProblem, type Place, placeInString } from "./condition-problem.ts";
export type { CallerColumns, ConditionColumn, ConditionRelation, ConditionScope } from "./condition-scope.ts";
export { namesOf, outside, type Standpoint, within } from "./condition-scope.ts";
export type { FieldNames } from "./condition-tokens.ts";
export { type Expression, type Term, termsOf } from "./condition-tree.ts";
export { termText } from "./expression-text.ts";
export { claimOf } from "./foreign-names.ts";
export { mayFail } from "./may-fail.ts";
export type { Hop, NamedWay, Naming } from "./naming.ts";
export {
  any,
  type CallerKind,
  type Compared,
  type Outcomes,
  opposite,
  outcomesOf,
  unknown,
} from "./outcomes.ts";
export { parseCondition } from "./parse-condition.ts";
