export { type Alternative, alternativesOf, isCovered, type Naming, splitAtOr } from "./alternatives.ts";
export { type CompiledCondition, compileCondition } from "./compile-condition.ts";
export { findColumn } from "./condition-columns.ts";
export { type ConditionProblem, placeInString } from "./condition-problem.ts";
export type { ConditionColumn, ConditionJoin, ConditionScope } from "./condition-scope.ts";
export type { Expression, Term } from "./condition-tree.ts";
export { parseCondition } from "./parse-condition.ts";
