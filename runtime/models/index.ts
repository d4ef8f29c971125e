export type { Json } from "../../vocabulary/json.ts";
export * from "./model.ts";
export * from "./model-columns.ts";
export * from "./model-presets.ts";
export type * from "./model-types.ts";
export * from "./validators.ts";
