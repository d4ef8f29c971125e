import { Worker } from "node:worker_threads";
import type { FromWorker, StoreSettings, ToWorker } from "../records/messages.ts";

const firstPauseMs = 100;
const longestPauseMs = 30_000;
/** A question whose answer would take more ends the worker, and not the service. What SQLite itself takes is not in it. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Where the store says what an operator must know. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

/** A reply of the worker. */
export type Reply = Exclude<FromWorker, { readonly kind: "notice" }>;

interface WorkerThreadOptions {
  readonly settings: StoreSettings;
  readonly log: StoreLog;
  readonly program: URL;
  readonly onReply: (reply: Reply) => void;
  /** The worker has ended: what it was sent is not replied to any more. */
  readonly onEnd: () => void;
}

/** A worker thread that keeps no process alive, and is started again with growing pauses whenever it ends by itself. */
export class WorkerThread {
  readonly #options: WorkerThreadOptions;
  #worker: Worker | null = null;
  #pauseMs = firstPauseMs;
  #restart: NodeJS.Timeout | null = null;
  #closing = false;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
    this.#start();
  }

  /** False where there is no worker now. */
  send(message: ToWorker): boolean {
    if (this.#worker === null || this.#closing) return false;
    this.#worker.postMessage(message);
    return true;
  }

  /** Lets the worker finish what it was sent, for as long as that, and ends it. */
  async close(withinMs: number): Promise<void> {
    if (this.#restart !== null) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === null || this.#closing) return;
    worker.postMessage({ kind: "close" } satisfies ToWorker);
    this.#closing = true;
    worker.ref();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => void worker.terminate(), withinMs);
      worker.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #start(): void {
    const { program, settings } = this.#options;
    // Flags of the process are for its own program: some end a worker at once.
    const how = { workerData: settings, resourceLimits, name: "kirak-monitoring", execArgv: [] };
    let worker: Worker;
    try {
      worker = new Worker(program, how);
    } catch (error) {
      // Where the system gives the process no further thread. The service has no need of it.
      this.#ended(causeOf(error));
      return;
    }
    let cause = "";
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => {
      cause = causeOf(error);
    });
    worker.on("exit", () => this.#ended(cause));
    // Listening would hold the process again.
    worker.unref();
    this.#worker = worker;
  }

  #receive(message: FromWorker): void {
    if (message.kind === "notice") {
      this.#options.log[message.level](message.message);
      return;
    }
    this.#pauseMs = firstPauseMs;
    this.#options.onReply(message);
  }

  #ended(cause: string): void {
    this.#worker = null;
    this.#options.onEnd();
    if (this.#closing) return;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    this.#options.log.warn(
      `The worker of the monitoring store has ended, and is started again in ${pauseMs} ms${cause}`,
    );
    this.#restart = setTimeout(() => this.#start(), pauseMs);
    this.#restart.unref();
  }
}

function causeOf(error: unknown): string {
  return `: ${error instanceof Error ? error.message : String(error)}`;
}
