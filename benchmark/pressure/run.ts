import { once } from "node:events";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Course } from "../compare.ts";
import { keepOnCore, otherCore, serverCore } from "../cores.ts";
import { postmasterOf } from "../database-cpu.ts";
import { type RunningServer, stopServer } from "../measure.ts";
import type { LoadFigures, LoadOptions } from "./load.ts";
import { recoveryTime, usualTime, watchHealth } from "./probe.ts";
import { type PressedScenario, pressedScenarios } from "./scenarios.ts";

export interface PressureGround {
  /** Of the database. */
  readonly url: string;
  readonly startKirak: () => Promise<RunningServer>;
}

/** For the throughput without pressure. */
const fewConnections = 64;
/** In the first all may wait for the database at once, in the second they may not. */
const manyConnections = [1_000, 4_000];

/**
 * Asks the service twice as much as it can serve: what is answered has to be right, all else is 503 with `Retry-After`, and `/healthz` answers
 * meanwhile. The service is on a core of its own, PostgreSQL and the load share another one. Throws where an answer is wrong.
 */
export async function benchmarkPressure(ground: PressureGround, course: Course): Promise<void> {
  const server = await ground.startKirak();
  const postmaster = await postmasterOf(ground.url);
  for (const pid of [postmaster, process.pid]) keepOnCore(pid, otherCore);
  keepOnCore(server.process.pid, serverCore);
  for (const pressed of pressedScenarios) {
    const capacity = await capacityOf(server, pressed, course);
    console.log(`\nunder pressure, ${pressed.scenario.name}: ${Math.round(capacity)} req/s without`);
    for (const connections of manyConnections)
      await press(server, pressed, { course, capacity, connections });
  }
  for (const pid of [postmaster, process.pid]) keepOnCore(pid, null);
  await stopServer(server);
}

async function capacityOf(server: RunningServer, pressed: PressedScenario, course: Course): Promise<number> {
  const options = { ...course, connections: fewConnections, perSecond: null };
  await (await load(server, pressed, { ...options, seconds: course.warmUp }))();
  const { answered, seconds } = await (await load(server, pressed, options))();
  return answered.length / seconds;
}

interface Pressure {
  readonly course: Course;
  readonly capacity: number;
  readonly connections: number;
}

async function press(
  server: RunningServer,
  pressed: PressedScenario,
  { course, capacity, connections }: Pressure,
): Promise<void> {
  const { port } = server;
  const path = pressed.scenario.path(0);
  const usualMs = await usualTime(port, path, course.token);
  const run = await load(server, pressed, { ...course, connections, perSecond: 2 * capacity });
  const endHealth = await watchHealth(port);
  const figures = await run();
  const health = await endHealth();
  const recoveryMs = await recoveryTime(port, path, course.token, usualMs);
  print(figures, health, { recoveryMs, capacity, connections });
  if (figures.wrong > 0)
    throw new Error(`${figures.wrong} answers are wrong, the first: ${figures.firstWrong}`);
}

/** Connects, and gives what begins to send and waits for the end. */
async function load(
  { port }: RunningServer,
  { scenario }: PressedScenario,
  { token, seconds, connections, perSecond }: Omit<LoadOptions, "port" | "scenario">,
): Promise<() => Promise<LoadFigures>> {
  const workerData: LoadOptions = { port, scenario: scenario.name, token, seconds, connections, perSecond };
  // As source, or compiled beside this file.
  const file = new URL(`load${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const worker = new Worker(file, { workerData });
  await once(worker, "message");
  return async () => {
    const [figures] = await once(worker, "message");
    return figures;
  };
}

function print(
  { answered, refused, seconds, unsent, wrong }: LoadFigures,
  health: readonly number[],
  { recoveryMs, capacity, connections }: Omit<Pressure, "course"> & { readonly recoveryMs: number },
): void {
  const perSecond = (count: number) => `${Math.round(count / seconds)} req/s`;
  const all = answered.length + refused.length;
  const lines = [
    `  ${connections} connections, ${Math.round(2 * capacity)} req/s due, ${perSecond(unsent)} of them found all connections busy`,
    `    answered  ${perSecond(answered.length)} (${(answered.length / seconds / capacity).toFixed(2)}), p99 ${ms(answered, 0.99)}`,
    `    refused   ${perSecond(refused.length)} (${Math.round((100 * refused.length) / all)} %), p99 ${ms(refused, 0.99)}`,
    `    /healthz  p99 ${ms(health, 0.99)}, longest ${ms(health, 1)} (at most 50)`,
    `    ${wrong} wrong answers (0); as usual ${recoveryMs.toFixed(0)} ms after the last answer`,
  ];
  console.log(lines.join("\n"));
}

function ms(times: ArrayLike<number>, part: number): string {
  const sorted = Float64Array.from(times).sort();
  const time = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return time === undefined ? "–" : `${time.toFixed(1)} ms`;
}
