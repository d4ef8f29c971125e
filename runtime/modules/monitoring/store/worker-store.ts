import { Worker } from "node:worker_threads";
import type {
  Batch,
  FailureReason,
  FromWorker,
  ReadRequest,
  StoreSettings,
  ToWorker,
} from "../records/messages.ts";
import type { ReadName, Reads } from "../records/reads.ts";

/** The store for the main thread; a worker thread does all work. */
export interface MonitoringStore {
  /** Rejects if the batch was not written. The batch is lost, except with `StoreBusy`. */
  write(batch: Batch): Promise<void>;
  /** JSON text of `Reads[Name]["result"]`. Rejects with `StoreUnreachable` if it cannot be read. */
  read<Name extends ReadName>(name: Name, asked: Reads[Name]["args"]): Promise<string>;
  /** Ends the worker after its queued work, or after `withinMs` (default 5,000). */
  close(withinMs?: number): Promise<void>;
}

/** The store is not open or cannot be read. */
export class StoreUnreachable extends Error {
  override readonly name: string = "StoreUnreachable";
}

/** Another process locks the file, or the worker restarts: retry the same batch later. */
export class StoreBusy extends StoreUnreachable {
  override readonly name = "StoreBusy";
}

interface Waiting {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

export interface WorkerStoreOptions extends StoreSettings {
  readonly log: StoreLog;
  /** Timeout of a read. */
  readonly longestReadMs?: number;
  /** The compiled program of the worker, if the service runs from its sources. */
  readonly program?: URL;
}

/** The store in a worker thread, which restarts after a crash. */
export class WorkerStore implements MonitoringStore {
  readonly #thread: WorkerThread;
  readonly #longestReadMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor({ log, longestReadMs = 10_000, program, ...settings }: WorkerStoreOptions) {
    this.#longestReadMs = longestReadMs;
    this.#thread = new WorkerThread({
      settings,
      log,
      program: program ?? new URL("../worker/monitoring-worker.js", import.meta.url),
      onReply: (reply) => this.#receive(reply),
      onEnd: () => this.#rejectAll("The worker of the monitoring store has ended."),
    });
  }

  async write(batch: Batch): Promise<void> {
    await this.#ask({ kind: "write", id: ++this.#lastId, batch });
  }

  async read<Name extends ReadName>(name: Name, asked: Reads[Name]["args"]): Promise<string> {
    const id = ++this.#lastId;
    const until = Date.now() + this.#longestReadMs;
    const timer = setTimeout(() => this.#giveUp(id), this.#longestReadMs);
    try {
      const question: ReadRequest<Name> = { kind: "read", id, until, name, args: asked };
      return await this.#ask(question);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(withinMs = 5_000): Promise<void> {
    await this.#thread.close(withinMs);
    this.#rejectAll("The monitoring store is closed.");
  }

  async #ask(message: Exclude<ToWorker, { kind: "close" }>): Promise<string> {
    if (!this.#thread.send(message)) {
      throw new StoreBusy("The worker of the monitoring store is not running.");
    }
    return new Promise((resolve, reject) => this.#waiting.set(message.id, { resolve, reject }));
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === "done") waiting?.resolve(reply.answer);
    else waiting?.reject(failureOf(reply.reason, reply.message));
  }

  #giveUp(id: number): void {
    this.#waiting.get(id)?.reject(new StoreUnreachable("The monitoring store does not answer."));
    this.#waiting.delete(id);
  }

  #rejectAll(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new StoreUnreachable(message));
    this.#waiting.clear();
  }
}

function failureOf(reason: FailureReason, message: string): Error {
  if (reason === "busy") return new StoreBusy(message);
  return reason === "unusable" ? new StoreUnreachable(message) : new Error(message);
}

const firstPauseMs = 100;
/** A query that needs more memory ends the worker, not the service. SQLite's own memory is not counted. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Log for operators. */
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
  /** The worker has ended and sends no more replies. */
  readonly onEnd: () => void;
  /** Longest pause between two starts. */
  readonly longestPauseMs?: number;
}

/** A worker thread that restarts with growing pauses, and does not keep the process alive. */
export class WorkerThread {
  readonly #options: WorkerThreadOptions;
  #worker: Worker | null = null;
  readonly #longestPauseMs: number;
  #pauseMs = firstPauseMs;
  /** The cause that was logged last, at the longest pause. */
  #loggedCause: string | null = null;
  #restart: NodeJS.Timeout | null = null;
  #closing = false;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
    this.#longestPauseMs = options.longestPauseMs ?? 30_000;
    this.#start();
  }

  /** Returns false if no worker is running. */
  send(message: ToWorker): boolean {
    if (this.#worker === null || this.#closing) return false;
    this.#worker.postMessage(message);
    return true;
  }

  /** Ends the worker after its queued work, or after `withinMs`. */
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
    // Without the process's flags: some end a worker at once. `node:sqlite` prints a warning.
    const execArgv = ["--disable-warning=ExperimentalWarning"];
    const how = { workerData: settings, resourceLimits, name: "kirak-monitoring", execArgv };
    let worker: Worker;
    try {
      worker = new Worker(program, how);
    } catch (error) {
      // The system can refuse more threads. The service works without the worker.
      this.#onExit(causeOf(error));
      return;
    }
    let cause = "";
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => {
      cause = causeOf(error);
    });
    worker.on("exit", () => this.#onExit(cause));
    // A listener would keep the process alive again.
    worker.unref();
    this.#worker = worker;
  }

  #receive(message: FromWorker): void {
    if (message.kind === "notice") {
      this.#options.log[message.level](message.message);
      return;
    }
    this.#pauseMs = firstPauseMs;
    this.#loggedCause = null;
    this.#options.onReply(message);
  }

  #onExit(cause: string): void {
    this.#worker = null;
    this.#options.onEnd();
    if (this.#closing) return;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, this.#longestPauseMs);
    this.#logEnd(pauseMs, cause);
    this.#restart = setTimeout(() => this.#start(), pauseMs);
    this.#restart.unref();
  }

  /** Logs each failure while pauses grow, then each cause once. */
  #logEnd(pauseMs: number, cause: string): void {
    if (this.#loggedCause === cause) return;
    const isLongest = pauseMs >= this.#longestPauseMs;
    if (isLongest) this.#loggedCause = cause;
    const when = isLongest ? `every ${pauseMs} ms from now on` : `in ${pauseMs} ms`;
    this.#options.log.warn(`The worker of the monitoring store has ended. It restarts ${when}${cause}`);
  }
}

function causeOf(error: unknown): string {
  return `: ${error instanceof Error ? error.message : String(error)}`;
}
