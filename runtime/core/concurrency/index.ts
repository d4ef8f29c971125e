export { type Asks, BackgroundTasks, Later } from "./deferred-tasks.ts";
export { type Awaitable, andThen, BoundedCache, type Late, late, oncePer } from "./memo.ts";
export * from "./trace.ts";
export { paced, TimedOut, WorkQueue, withTimeout } from "./work-queue.ts";
