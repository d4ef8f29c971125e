export type * from "./counter-store.ts";
export * from "./limits.ts";
