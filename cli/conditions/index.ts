/**
 * Conditions of access rules for given rows and a given caller, as PostgreSQL evaluates them. `rowsThatHold` gives the rows of a
 * whole condition, `evaluateParts` the truth of each part and the values that it compared.
 */

export * from "./evaluate-parts.ts";
export { rowsThatHold } from "./rows-that-hold.ts";
export { runtimeModels } from "./runtime-models.ts";
