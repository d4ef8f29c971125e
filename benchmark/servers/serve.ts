import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Tells the parent process the port, answers `cpu` with the CPU time of this process in microseconds, and ends with it.
 */
export function serve(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port });
  });
  process.on("message", (message) => {
    if (message !== "cpu") return;
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  });
  process.on("disconnect", () => process.exit(0));
}

/** The address of the benchmark's database. */
export function databaseUrl(): string {
  const url = process.env["BENCHMARK_DATABASE_URL"];
  if (url === undefined) throw new Error("BENCHMARK_DATABASE_URL is not set");
  return url;
}
