/** Models of a definition without `generated/`, and their rows that fulfil the condition of an access rule. */

export { rowIdSql, rowsThatHold } from "./rows-that-hold.ts";
export { runtimeModels } from "./runtime-models.ts";
