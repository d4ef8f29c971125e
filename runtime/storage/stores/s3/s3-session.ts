import { setMaxListeners } from "node:events";
import { TimedOut } from "../../../concurrency/index.ts";
import type { S3Connection } from "./s3-connection.ts";
import { s3Failure } from "./s3-failure.ts";

/** A provider that neither answered nor took a byte for too long. */
export class ProviderSilence extends TimedOut {
  override readonly name = "ProviderSilence";
}

/** The end of work that nothing moves any more: each byte and each answer puts it off. */
export class IdleDeadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #moves = 0;

  /** `isWaiting` tells whether the provider is to move at all. */
  constructor(idleMs: number, isWaiting: () => boolean = () => true) {
    // Each request of the work listens to it.
    setMaxListeners(0, this.#controller.signal);
    const silence = new ProviderSilence(`the storage provider was silent for ${idleMs} ms`);
    this.#timer = setTimeout(() => {
      if (!isWaiting()) return this.moved();
      const moves = this.#moves;
      // What is here already, and that a busy process has not come to read, is in time.
      setImmediate(() => {
        if (moves === this.#moves) this.#controller.abort(silence);
      });
    }, idleMs);
  }

  /** Aborted by the deadline. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  moved(): void {
    this.#moves += 1;
    // A timer that has fired starts again.
    if (!this.signal.aborted) this.#timer.refresh();
  }

  end(): void {
    this.#moves += 1;
    clearTimeout(this.#timer);
  }
}

/** Does work that needs a provider, and rejects with a `ProviderSilence` once nothing has moved for so long. */
export async function withinIdle<Value>(
  idleMs: number,
  work: (deadline: IdleDeadline) => Promise<Value>,
): Promise<Value> {
  const deadline = new IdleDeadline(idleMs);
  const { signal } = deadline;
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      work(deadline).then(resolve, reject);
    });
  } finally {
    deadline.end();
  }
}

/** What a request is sent with. */
export interface RequestOptions {
  readonly abortSignal: AbortSignal;
}

/** The requests of one piece of work, which share its deadline. */
export class S3Session {
  readonly connection: S3Connection;
  readonly #deadline: IdleDeadline;
  readonly #onMove: () => void;

  constructor(connection: S3Connection, deadline: IdleDeadline, onMove: () => void = () => {}) {
    this.connection = connection;
    this.#deadline = deadline;
    this.#onMove = onMove;
  }

  /** Aborted by the deadline. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  /** Where an object is, for requests. */
  place(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.connection.bucket, Key: key };
  }

  /** The provider took bytes, or answered. */
  moved(): void {
    this.postpone();
    this.#onMove();
  }

  /** Puts the deadline off. */
  postpone(): void {
    this.#deadline.moved();
  }

  /** Sends a request, which the SDK retries. Rejects with an `S3Failure`. */
  async request<Output>(
    operation: string,
    send: (options: RequestOptions) => Promise<Output>,
  ): Promise<Output> {
    try {
      const output = await send({ abortSignal: this.signal });
      this.moved();
      return output;
    } catch (error) {
      this.signal.throwIfAborted();
      const failure = s3Failure(operation, error, this.connection.secrets);
      if (failure.status !== null) this.moved();
      throw failure;
    }
  }
}
