export { AfterResponse, BackgroundTasks, type DeferredTasks } from "./deferred-tasks.ts";
export { type Awaitable, andThen, BoundedCache, type Lazy, lazy, weakMemo } from "./memo.ts";
export * from "./trace.ts";
export { TimedOut, throttle, WorkQueue, withTimeout } from "./work-queue.ts";
