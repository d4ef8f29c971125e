export { type CompiledCondition, compileCondition, compileDefinition } from "./compile/compile-condition.ts";
export { findColumn, findRows } from "./compile/condition-columns.ts";
export { type CompiledCheck, compileCheck } from "./compile/condition-of-check.ts";
export type {
  CallerColumns,
  ConditionColumn,
  ConditionRelation,
  NamedCondition,
  ScopeModel,
} from "./compile/condition-scope.ts";
export { type NamePosition, namesOf, rootScope, scopeWithin } from "./compile/condition-scope.ts";
export { callsIn } from "./compile/find-call.ts";
export { withoutCalls } from "./compile/without-calls.ts";
export { type ConditionProblem, rangeInString, type TextRange } from "./hints/condition-problem.ts";
export { claimOf } from "./hints/foreign-names.ts";
export type { ConditionNames, NamedHop, NamedPath } from "./implication/clause.ts";
export {
  type Disjunct,
  disjunctOf,
  disjunctsOf,
  fieldNamesOf,
  isCovered,
  joinedByOr,
  splitAtOr,
  unprovenOf,
} from "./implication/disjuncts.ts";
export {
  anyOutcome,
  type CallerKind,
  type ComparedTerm,
  canFail,
  type Outcomes,
  opposite,
  outcomesOf,
  unknownOutcome,
} from "./implication/outcomes.ts";
export type { KnownFields } from "./language/condition-tokens.ts";
export { type ConditionExpression, type Term, termsOf, termText } from "./language/condition-tree.ts";
export { type DefinitionOf, expandedExpression } from "./language/expanded-expression.ts";
export { usesItself } from "./language/moved-expression.ts";
export { conditionWords, parseCondition, parsePrintedCondition } from "./language/parse-condition.ts";
