export { longestPassword, recordProblems, type Strictness } from "./record-problems.ts";
