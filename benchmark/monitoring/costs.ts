import { join } from "node:path";
import type { Course } from "../compare.ts";
import { ask, measure, median, type RunningServer, type Start, stopServer } from "../measure.ts";
import { type Scenario, scenarios } from "../scenarios.ts";
import type { Turn } from "../servers/switched.ts";

export interface CostsOptions {
  readonly start: Start;
  readonly course: Course;
  /** Where stores are kept. */
  readonly folder: string;
}

/** Sample rates, and what the main thread may take of what it takes without. */
const rates = [
  { sampleRate: 0.05, most: 1.05 },
  { sampleRate: 1, most: 1.1 },
] as const;

const measured = ["one row by id", "ten rows filtered, ordered, with total", "create"];

const warmUpSeconds = 3;
const seconds = 20;

/**
 * What monitoring costs a request on the main thread: one process records by short turns and not. Beside it what the other threads
 * of the process take, and the same of a process that never records, which tells how much chance is in it.
 */
export async function compareCosts({ start, course, folder }: CostsOptions): Promise<void> {
  const never = "by turns nothing either";
  const servers = [{ name: never, server: await start(never, "switched") }];
  for (const { sampleRate, most } of rates) {
    const environment = {
      BENCHMARK_METRICS: join(folder, `${sampleRate}.db`),
      BENCHMARK_SAMPLE_RATE: String(sampleRate),
    };
    const name = `sample_rate ${sampleRate} (at most ${most})`;
    servers.push({ name, server: await start(name, "switched", environment) });
  }
  for (const scenario of scenarios.filter(({ name }) => measured.includes(name))) {
    console.log(`\nmonitoring, ${scenario.name}`);
    for (const { name, server } of servers) printCosts(name, await inTurns(server, scenario, course.token));
  }
  await Promise.all(servers.map(({ server }) => stopServer(server)));
}

interface Costs {
  readonly turns: readonly Turn[];
  /** CPU time of all threads but the main one, in microseconds a request. */
  readonly otherThreads: number;
}

async function inTurns(server: RunningServer, scenario: Scenario, token: string): Promise<Costs> {
  await measure(server, scenario, { seconds: warmUpSeconds, token });
  await ask(server, "begin");
  const { cpu, mainCpu } = await measure(server, scenario, { seconds, token });
  const { turns } = await ask<{ turns: readonly Turn[] }>(server, "turns");
  // In the first and the last not all of the load is there.
  return { turns: turns.slice(2, -2), otherThreads: cpu - mainCpu };
}

/** Each turn that records beside the two around it that do not: what else the machine does is in all of them. */
function printCosts(name: string, { turns, otherThreads }: Costs): void {
  const pairs = turns.flatMap((turn, index) => {
    const [before, after] = [turns[index - 1], turns[index + 1]];
    if (!turn.recorded || before === undefined || after === undefined) return [];
    // Another program had the machine.
    if (Math.min(turn.requests, before.requests, after.requests) === 0) return [];
    const without = (before.cpu + after.cpu) / (before.requests + after.requests);
    return [{ without, within: turn.cpu / turn.requests }];
  });
  const ratio = median(pairs.map(({ without, within }) => within / without)).toFixed(3);
  const cost = median(pairs.map(({ without, within }) => within - without)).toFixed(1);
  console.log(
    `  ${name.padEnd(29)} CPU of the main thread ${ratio} of that without, ${cost} µs (${pairs.length} pairs); other threads ${otherThreads.toFixed(1)} µs`,
  );
}
