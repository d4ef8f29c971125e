import type { DatabaseCpu } from "./database-cpu.ts";
import { type Figures, measure, median, type RunningServer } from "./measure.ts";
import type { Scenario } from "./scenarios.ts";

/** A server and what it is sent. */
export interface Contestant {
  readonly name: string;
  readonly server: RunningServer;
  readonly scenario: Scenario;
}

export interface Course {
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds before the first round, in which nothing is measured. */
  readonly warmUp: number;
  readonly token: string;
  readonly databaseCpu?: DatabaseCpu | undefined;
}

export type Measured = ReadonlyMap<string, Figures>;

/** Measures contestants by turns, so that a slow moment of the machine hits each of them. Medians of the rounds. */
export async function compare(contestants: readonly Contestant[], course: Course): Promise<Measured> {
  const runs = new Map(contestants.map(({ name }) => [name, [] as Figures[]]));
  for (const { server, scenario } of contestants)
    await measure(server, scenario, { ...course, seconds: course.warmUp });
  for (let round = 0; round < course.rounds; round++) {
    for (const { name, server, scenario } of contestants)
      runs.get(name)?.push(await measure(server, scenario, course));
  }
  const middle = (figures: readonly Figures[]): Figures => ({
    perSecond: median(figures.map((f) => f.perSecond)),
    p99Ms: median(figures.map((f) => f.p99Ms)),
    cpu: median(figures.map((f) => f.cpu)),
    databaseCpu: median(figures.map((f) => f.databaseCpu ?? Number.NaN)),
  });
  return new Map([...runs].map(([name, figures]) => [name, middle(figures)]));
}

/** Prints a line for each contestant. */
export function print(title: string, measured: Measured): void {
  console.log(`\n${title}`);
  for (const [name, { perSecond, p99Ms, cpu, databaseCpu }] of measured) {
    const cells = [`${Math.round(perSecond)} req/s`, `p99 ${p99Ms} ms`, `${cpu.toFixed(1)} µs CPU`];
    if (databaseCpu !== undefined && !Number.isNaN(databaseCpu))
      cells.push(`PostgreSQL ${databaseCpu.toFixed(1)} µs CPU`);
    console.log(`  ${name.padEnd(16)} ${cells.map((cell) => cell.padStart(14)).join("  ")}`);
  }
}

/** One figure of `a` as a part of that of `b`. */
export function ratio(measured: Measured, a: string, b: string, figure: keyof Figures): string {
  return ((measured.get(a)?.[figure] ?? Number.NaN) / (measured.get(b)?.[figure] ?? Number.NaN)).toFixed(2);
}
