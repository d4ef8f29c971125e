export * from "./app-schema.ts";
export { longestPassword } from "./compile-schema.ts";
export { recordProblems, type Strictness } from "./record-problems.ts";
