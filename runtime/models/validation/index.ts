export * from "./app-schema.ts";
export { longestPassword } from "./compile-schema.ts";
export { type InputReader, inputReader } from "./input-reader.ts";
export { recordProblems, type Strictness } from "./record-problems.ts";
