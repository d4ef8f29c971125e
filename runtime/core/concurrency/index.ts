export { type Awaitable, andThen } from "./awaitable.ts";
export { BackgroundTasks } from "./background-tasks.ts";
export { BoundedCache } from "./bounded-cache.ts";
export { type Late, late } from "./late.ts";
export { type Asks, Later } from "./later.ts";
export { paced } from "./paced.ts";
export { TimedOut, withTimeout } from "./with-timeout.ts";
export { WorkQueue } from "./work-queue.ts";
