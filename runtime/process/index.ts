export type { Closers } from "./closers.ts";
export { CommandError, explain } from "./failure.ts";
export { listen } from "./http-lifecycle.ts";
export { embedded, type Parts, statementTimeoutMs } from "./launch.ts";
export { commandOutput, createLog } from "./log.ts";
export { loadEnvironment, runProcess, supervise } from "./run.ts";
