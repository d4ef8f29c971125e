export { type Argument, Documents, type Field, type Operation, type Selection } from "./operation.ts";
export type { Limits } from "./parse-document.ts";
export {
  argumentValue,
  exactNumbers,
  type NumberReading,
  plainNumbers,
  readVariables,
  type VariableDeclaration,
  type Variables,
  variablesIn,
} from "./variables.ts";
