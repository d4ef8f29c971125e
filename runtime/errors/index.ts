export * from "./problems.ts";
export * from "./service-error.ts";
