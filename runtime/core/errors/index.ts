export * from "./declared-errors.ts";
export * from "./no-answer.ts";
export * from "./problems.ts";
export * from "./service-error.ts";
export { UnheldValue, type ValuePlace } from "./unheld-value.ts";
