export { argumentValue, dataValue, variablesIn } from "./argument-values.ts";
export type { Argument, Field, Selection } from "./document-fields.ts";
export { Documents } from "./documents.ts";
export type { Operation } from "./operation.ts";
export type { Limits } from "./text-limits.ts";
export { readVariables, type VariableDeclaration, type Variables } from "./variables.ts";
