export type { Json } from "../../vocabulary/json.ts";
export * from "./columns.ts";
export type * from "./model.ts";
export { defineModel } from "./model.ts";
export type * from "./model-types.ts";
export * from "./validators.ts";
