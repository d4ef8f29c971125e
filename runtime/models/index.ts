export type { Json } from "../../vocabulary/json.ts";
export { answeredValue, elementValue, hasAnsweredForm } from "./answered-values.ts";
export * from "./model.ts";
export type * from "./model-types.ts";
