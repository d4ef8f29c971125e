import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { beginProfile, endProfile } from "./profiler.ts";

/**
 * Tells the parent process the port, answers `cpu` with the CPU time of this process in microseconds, and ends with it.
 * `watch` begins to watch the event loop, and `delay` ends that and answers its delay, 99th percentile, in milliseconds; `profile` begins to look at
 * its functions, and `profiled` ends that and answers their times.
 */
export function serve(server: Server): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port });
  });
  process.on("message", (message) => {
    if (message === "cpu") {
      const { user, system } = process.cpuUsage();
      process.send?.({ cpu: user + system });
    } else if (message === "watch") {
      delay.reset();
      delay.enable();
      process.send?.({});
    } else if (message === "delay") {
      delay.disable();
      process.send?.({ p99Ms: delay.percentile(99) / 1e6 });
    } else if (message === "profile") {
      beginProfile().then(() => process.send?.({}));
    } else if (message === "profiled") {
      endProfile().then((functions) => process.send?.({ functions }));
    }
  });
  process.on("disconnect", () => process.exit(0));
}

/** The address of the benchmark's database. */
export function databaseUrl(): string {
  const url = process.env["BENCHMARK_DATABASE_URL"];
  if (url === undefined) throw new Error("BENCHMARK_DATABASE_URL is not set");
  return url;
}
