export { type CompiledCondition, compileCondition } from "./compile/compile-condition.ts";
export { findColumn, findRows } from "./compile/condition-columns.ts";
export { type CompiledCheck, compileCheck } from "./compile/condition-of-check.ts";
export type {
  CallerColumns,
  ConditionColumn,
  ConditionRelation,
  ConditionScope,
} from "./compile/condition-scope.ts";
export { namesOf, outside, type Standpoint, within } from "./compile/condition-scope.ts";
export { type ConditionProblem, type Place, placeInString } from "./hints/condition-problem.ts";
export { claimOf } from "./hints/foreign-names.ts";
export type { Hop, NamedWay, Naming } from "./implication/clause.ts";
export {
  type Alternative,
  alternativesOf,
  fieldNamesOf,
  isCovered,
  splitAtOr,
  unprovenOf,
} from "./implication/disjuncts.ts";
export {
  any,
  type CallerKind,
  type Compared,
  mayFail,
  type Outcomes,
  opposite,
  outcomesOf,
  unknown,
} from "./implication/outcomes.ts";
export type { FieldNames } from "./language/condition-tokens.ts";
export { type Expression, type Term, termsOf, termText } from "./language/condition-tree.ts";
export { parseCondition } from "./language/parse-condition.ts";
