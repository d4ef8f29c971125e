export {
  type Check,
  type CodeSchema,
  compileAsWritten,
  compileCodeSchema,
  pointerPart,
} from "./code-schema.ts";
export { longestPassword } from "./problem-messages.ts";
export { recordProblems, type Strictness } from "./record-problems.ts";
export { isSchema, type JsonSchema, type SchemaObject, withSubSchemas } from "./sub-schemas.ts";
