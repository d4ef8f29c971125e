export { longestPassword } from "./messages.ts";
export { recordProblems, type Strictness } from "./record-problems.ts";
