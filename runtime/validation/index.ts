export { longestPassword } from "./problem-messages.ts";
export { recordProblems, type Strictness } from "./record-problems.ts";
