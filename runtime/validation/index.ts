export { recordProblems, type Strictness } from "./record-problems.ts";
