import { setTimeout as pause } from "node:timers/promises";
import type { IdleDeadline } from "./idle-deadline.ts";
import type { S3Connection } from "./s3-connection.ts";
import { S3Failure, s3Failure } from "./s3-failure.ts";

/** What a request is sent with. */
export interface RequestOptions {
  readonly abortSignal: AbortSignal;
}

const mostAttempts = 3;
const firstPauseMs = 100;

/** The requests of one piece of work, which share its deadline. */
export class S3Session {
  readonly connection: S3Connection;
  readonly #deadline: IdleDeadline;
  readonly #signal: AbortSignal;

  constructor(connection: S3Connection, deadline: IdleDeadline, signal: AbortSignal = deadline.signal) {
    this.connection = connection;
    this.#deadline = deadline;
    this.#signal = signal;
  }

  /** The same, for a part of the work that can be given up earlier. */
  until(signal: AbortSignal): S3Session {
    return new S3Session(this.connection, this.#deadline, AbortSignal.any([this.#signal, signal]));
  }

  /** Where an object is, for requests. */
  place(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.connection.bucket, Key: key };
  }

  /** The provider took bytes. */
  moved(): void {
    this.#deadline.moved();
  }

  /** Sends a request, which the SDK tries again where it has no stream as its body. Rejects with an `S3Failure`. */
  async request<Output>(
    operation: string,
    send: (options: RequestOptions) => Promise<Output>,
  ): Promise<Output> {
    try {
      const output = await send({ abortSignal: this.#signal });
      this.moved();
      return output;
    } catch (error) {
      this.#signal.throwIfAborted();
      throw s3Failure(operation, error, this.connection.secrets);
    }
  }

  /** Does something again, with growing pauses, as long as what it rejects with may pass. */
  async repeat<Output>(
    work: () => Promise<Output>,
    again: (failure: S3Failure) => boolean = ({ passing }) => passing,
  ): Promise<Output> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await work();
      } catch (error) {
        if (attempt === mostAttempts || !(error instanceof S3Failure) || !again(error)) throw error;
        await pause(firstPauseMs * 2 ** (attempt - 1), undefined, { signal: this.#signal });
      }
  }
}
