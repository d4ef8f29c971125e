import type { FailureReason, PackedBatch, Question, StoreSettings, ToWorker } from "../records/messages.ts";
import type { ReadName, Reads } from "../records/reads.ts";
import { type MonitoringStore, StoreBusy, StoreUnreachable } from "./monitoring-store.ts";
import { type Reply, type StoreLog, WorkerThread } from "./worker-thread.ts";

/** Waits for the worker's reply. */
interface Waiting {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

/** How a store is kept. */
export interface WorkerStoreOptions extends StoreSettings {
  readonly log: StoreLog;
  /** Longest that a read is waited for. */
  readonly longestReadMs?: number;
  /** The program of the worker; where it runs from its sources, its compiled one. */
  readonly program?: URL;
}

/** The store, kept by a worker thread that is started at once, and again whenever it ends by itself. */
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

  async write(batch: PackedBatch): Promise<void> {
    await this.#ask({ kind: "write", id: ++this.#lastId, batch });
  }

  async read<Name extends ReadName>(name: Name, asked: Reads[Name]["asks"]): Promise<string> {
    const id = ++this.#lastId;
    const until = Date.now() + this.#longestReadMs;
    const timer = setTimeout(() => this.#giveUp(id), this.#longestReadMs);
    try {
      const question: Question<Name> = { kind: "read", id, until, name, asked };
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
