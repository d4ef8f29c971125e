export { type Check, compileCodeSchema } from "./code-schema.ts";
export { longestPassword } from "./problem-messages.ts";
export { recordProblems, type Strictness } from "./record-problems.ts";
