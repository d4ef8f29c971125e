import { Agent } from "node:http";
import type { Measured } from "../compare.ts";
import { cpuOf, type Figures, median, type RunningServer } from "../measure.ts";

/** A server, and how a file goes to it or comes from it. `n` counts up. */
export interface Carrier {
  readonly name: string;
  readonly server: RunningServer;
  readonly transfer: (agent: Agent, n: number) => Promise<void>;
}

export interface Transfers {
  readonly rounds: number;
  /** Files of a round. */
  readonly files: number;
  readonly atOnce: number;
}

/** Measures by turns, as `compare` does, but whole files: a client that reads each answer in JavaScript would be what is measured. */
export async function compareTransfers(
  carriers: readonly Carrier[],
  transfers: Transfers,
): Promise<Measured> {
  const runs = new Map(carriers.map(({ name }) => [name, [] as Figures[]]));
  for (const carrier of carriers) await measureTransfers(carrier, transfers);
  for (let round = 0; round < transfers.rounds; round++)
    for (const carrier of carriers) runs.get(carrier.name)?.push(await measureTransfers(carrier, transfers));
  return new Map([...runs].map(([name, figures]) => [name, middleOf(figures)]));
}

async function measureTransfers(
  { server, transfer }: Carrier,
  { files, atOnce }: Transfers,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const [cpu, startedAt] = [await cpuOf(server), performance.now()];
  const times: number[] = [];
  let begun = 0;
  const carry = async () => {
    while (begun < files) {
      const from = performance.now();
      await Promise.race([transfer(agent, begun++), server.ended]);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, carry));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const p99Ms = Math.round(times[Math.floor(times.length * 0.99)] ?? Number.NaN);
  return { perSecond: files / seconds, p99Ms, cpu: ((await cpuOf(server)) - cpu) / files };
}

function middleOf(figures: readonly Figures[]): Figures {
  return {
    perSecond: median(figures.map((each) => each.perSecond)),
    p99Ms: median(figures.map((each) => each.p99Ms)),
    cpu: median(figures.map((each) => each.cpu)),
  };
}
