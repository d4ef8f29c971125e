export type * from "./any-hooks.ts";
export * from "./auth-hooks.ts";
export * from "./columns.ts";
export type * from "./hooks.ts";
export * from "./json.ts";
export type * from "./model.ts";
export { defineModel } from "./model.ts";
export type * from "./types.ts";
export * from "./validators.ts";
