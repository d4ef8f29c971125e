export type { Json } from "../../vocabulary/json.ts";
export * from "./model.ts";
export type * from "./model-types.ts";
