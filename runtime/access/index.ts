export * from "./conditions.ts";
export * from "./policy.ts";
