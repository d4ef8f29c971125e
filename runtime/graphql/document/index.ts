export { Documents } from "./documents.ts";
export type { Limits } from "./limits.ts";
export type { Operation } from "./operation.ts";
export type { Argument, Field, Selection } from "./selection.ts";
export { argumentValue, dataValue, variablesIn } from "./values.ts";
export { readVariables, type VariableDeclaration, type Variables } from "./variables.ts";
