import { type Course, compare, print, ratio } from "../compare.ts";
import { keepOnCore, serverCore } from "../cores.ts";
import { type Start, stopServer } from "../measure.ts";
import { scenarios } from "../scenarios.ts";

const names = ["one row by id", "create"];

/** What a line of the log costs a request: the service with one for each beside the service with none. */
export async function benchmarkLogLines(start: Start, course: Course): Promise<void> {
  const servers = [
    await start("without", "kirak", { BENCHMARK_LOG_LEVEL: "warn" }),
    await start("with", "kirak", { BENCHMARK_LOG_LEVEL: "info" }),
  ];
  for (const server of servers) keepOnCore(server.process.pid, serverCore);
  for (const scenario of scenarios.filter(({ name }) => names.includes(name))) {
    const contestants = servers.map((server) => ({ name: server.name, server, scenario }));
    const measured = await compare(contestants, course);
    print(`a line of the log, ${scenario.name}`, measured);
    console.log(`  CPU: ${ratio(measured, "with", "without", "cpu")} of that without (at most 1.10)`);
  }
  await Promise.all(servers.map(stopServer));
}
