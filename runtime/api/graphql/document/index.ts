export { argumentValue, variablesIn } from "./argument-values.ts";
export type { Argument, Field, Selection } from "./document-fields.ts";
export { Documents } from "./documents.ts";
export { exactNumbers, type NumberReading, plainNumbers } from "./number-readings.ts";
export type { Operation } from "./operation.ts";
export { readVariables } from "./read-variables.ts";
export type { Limits } from "./text-limits.ts";
export type { VariableDeclaration, Variables } from "./variables.ts";
