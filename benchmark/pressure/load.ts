/** Sends requests from a thread of its own, and tells what came of them. */
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { Connection, type Reply } from "./connection.ts";
import { pressedScenarios } from "./scenarios.ts";

export interface LoadOptions {
  readonly port: number;
  /** Of one of the pressed scenarios. */
  readonly scenario: string;
  readonly token: string;
  readonly seconds: number;
  readonly connections: number;
  /** Requests a second, whether others have been answered or not; null: each connection sends the next when it has its answer. */
  readonly perSecond: number | null;
}

/** Times are milliseconds from when a request was due to its answer. */
export interface LoadFigures {
  readonly seconds: number;
  readonly answered: Float64Array;
  readonly refused: Float64Array;
  /** Requests for which all connections were busy. */
  readonly unsent: number;
  /** What nobody should be told, such as another row, and connections that were lost: how many, and the first such answer. */
  readonly wrong: number;
  readonly firstWrong: string | null;
}

/** So long is waited for the last answers. */
const longestRestMs = 15_000;

class Load {
  readonly #options: LoadOptions;
  readonly #pressed = pressedScenarios.find(({ scenario }) => scenario.name === workerData.scenario);
  readonly #free: Connection[];
  readonly #answered: number[] = [];
  readonly #refused: number[] = [];
  #sent = 0;
  #unsent = 0;
  #wrong = 0;
  #lost = 0;
  #firstWrong: string | null = null;
  #isOver = false;

  constructor(options: LoadOptions, connections: readonly Connection[]) {
    this.#options = options;
    this.#free = [...connections];
  }

  async run(): Promise<LoadFigures> {
    const { seconds, perSecond, connections } = this.#options;
    const since = performance.now();
    if (perSecond === null) while (this.#free.length > 0) this.#send(performance.now());
    for (let passed = 0; passed < seconds * 1000; passed = performance.now() - since) {
      const due = perSecond === null ? 0 : (Math.min(passed, seconds * 1000) / 1000) * perSecond;
      while (this.#sent + this.#unsent < due && perSecond !== null)
        this.#send(since + ((this.#sent + this.#unsent) / perSecond) * 1000);
      await pause(1);
    }
    this.#isOver = true;
    const [answered, refused] = [Float64Array.from(this.#answered), Float64Array.from(this.#refused)];
    const took = (performance.now() - since) / 1000;
    const end = performance.now() + longestRestMs;
    while (this.#free.length + this.#lost < connections && performance.now() < end) await pause(10);
    this.#wrong += connections - this.#free.length;
    const [unsent, wrong, firstWrong] = [this.#unsent, this.#wrong, this.#firstWrong];
    return { seconds: took, answered, refused, unsent, wrong, firstWrong };
  }

  #send(dueAt: number): void {
    const connection = this.#free.pop();
    if (connection === undefined) {
      this.#unsent++;
      return;
    }
    const n = this.#sent++;
    connection.send(this.#pressed?.scenario.path(n) ?? "/", this.#options.token, (reply) => {
      if (reply === null) {
        this.#lost++;
        return;
      }
      this.#note(n, performance.now() - dueAt, reply);
      this.#free.push(connection);
      if (this.#options.perSecond === null && !this.#isOver) this.#send(performance.now());
    });
  }

  #note(n: number, ms: number, { status, text }: Reply): void {
    if (status === 200 && text.includes(this.#pressed?.expected(n) ?? "")) this.#answered.push(ms);
    else if (status === 503 && /^retry-after: \d/im.test(text)) this.#refused.push(ms);
    else {
      this.#wrong++;
      this.#firstWrong ??= text;
    }
  }
}

const options: LoadOptions = workerData;
const connections: Connection[] = [];
while (connections.length < options.connections) connections.push(await Connection.open(options.port));
parentPort?.postMessage("ready");
parentPort?.postMessage(await new Load(options, connections).run());
for (const connection of connections) connection.close();
