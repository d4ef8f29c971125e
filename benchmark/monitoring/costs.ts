import { join } from "node:path";
import type { Course } from "../compare.ts";
import {
  measure,
  median,
  type RunningServer,
  type Start,
  stopServer,
  type ThreadFigures,
} from "../measure.ts";
import { type Scenario, scenarios } from "../scenarios.ts";

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

/** Rounds are short and many, since what else the machine does changes from one to the next. */
const pairs = 15;
const seconds = 1;
const warmUpSeconds = 3;

/**
 * What monitoring costs a request, on the main thread and in the whole process. Two processes of the same program differ by
 * themselves: how much, a second one without monitoring tells.
 */
export async function compareCosts({ start, course, folder }: CostsOptions): Promise<void> {
  const off = await start("off", "kirak");
  const others = [{ name: "off as well", on: await start("off as well", "kirak") }];
  for (const { sampleRate, most } of rates) {
    const environment = {
      BENCHMARK_METRICS: join(folder, `${sampleRate}.db`),
      BENCHMARK_SAMPLE_RATE: String(sampleRate),
    };
    const name = `sample_rate ${sampleRate} (at most ${most})`;
    others.push({ name, on: await start(name, "kirak", environment) });
  }
  for (const scenario of scenarios.filter(({ name }) => measured.includes(name))) {
    console.log(`\nmonitoring, ${scenario.name}`);
    for (const { on } of [{ on: off }, ...others]) await measure(on, scenario, warmUpSeconds, course.token);
    for (const { name, on } of others) printCosts(name, await inPairs(off, on, scenario, course.token));
  }
  await Promise.all([off, ...others.map(({ on }) => on)].map(stopServer));
}

interface Pair {
  readonly without: ThreadFigures;
  readonly within: ThreadFigures;
}

async function inPairs(
  off: RunningServer,
  on: RunningServer,
  scenario: Scenario,
  token: string,
): Promise<readonly Pair[]> {
  const all: Pair[] = [];
  for (let round = 0; round < pairs; round++) {
    const without = await measure(off, scenario, seconds, token);
    all.push({ without, within: await measure(on, scenario, seconds, token) });
  }
  return all;
}

function printCosts(name: string, all: readonly Pair[]): void {
  const ratioOf = (figure: "cpu" | "mainCpu") =>
    median(all.map(({ without, within }) => within[figure] / without[figure])).toFixed(3);
  const cost = median(all.map(({ without, within }) => within.mainCpu - without.mainCpu));
  console.log(
    `  ${name.padEnd(29)} CPU of the main thread ${ratioOf("mainCpu")} of that without, ${cost.toFixed(1)} µs; of the process ${ratioOf("cpu")}`,
  );
}
