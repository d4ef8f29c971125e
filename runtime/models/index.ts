export type { Json } from "../../vocabulary/json.ts";
export { elementValue, hasResponseForm, responseValue } from "./answered-values.ts";
export * from "./model.ts";
export type * from "./model-types.ts";
