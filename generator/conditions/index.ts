export { type Alternative, alternativesOf, isCovered, type Naming, splitAtOr } from "./alternatives.ts";
export { findColumn } from "./columns.ts";
export { type CompiledCondition, compileCondition } from "./compile.ts";
export { parseCondition } from "./parse.ts";
export { placeInString } from "./place-in-string.ts";
export type { ConditionProblem } from "./problem.ts";
export type { ConditionColumn, ConditionJoin, ConditionScope } from "./scope.ts";
export type { Expression, Term } from "./tree.ts";
