export * from "./dates.ts";
export { recordProblems, type Strictness } from "./record-problems.ts";
export { isUuid } from "./uuid.ts";
