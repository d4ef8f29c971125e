export { type Alternative, alternativesOf, isCovered, type Naming, splitAtOr } from "./alternatives.ts";
export { type CompiledCondition, compileCondition } from "./compile-condition.ts";
export { findColumn, outside } from "./condition-columns.ts";
export { type ConditionProblem, placeInString } from "./condition-problem.ts";
export type { CallerColumns, ConditionColumn, ConditionRelation, ConditionScope } from "./condition-scope.ts";
export type { Expression, Term } from "./condition-tree.ts";
export { namesOf } from "./names-of-scope.ts";
export { type FieldNames, parseCondition } from "./parse-condition.ts";
