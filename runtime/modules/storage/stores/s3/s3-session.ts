import { setMaxListeners } from "node:events";
import { TimedOut } from "../../../../core/concurrency/index.ts";
import type { S3Connection } from "./s3-connection.ts";

/** A provider that neither answered nor took a byte for too long. */
class ProviderSilence extends TimedOut {
  override readonly name = "ProviderSilence";
}

/** The end of work that nothing moves any more: each byte and each answer puts it off. */
class IdleDeadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #moves = 0;

  constructor(idleMs: number) {
    // Each request of the work listens to it.
    setMaxListeners(0, this.#controller.signal);
    const silence = new ProviderSilence(`the storage provider was silent for ${idleMs} ms`);
    this.#timer = setTimeout(() => {
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
interface RequestOptions {
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

/** What S3 answered instead, or why there was no answer. It holds no request, which would carry signatures and tokens into the log. */
export class S3Failure extends Error {
  override readonly name = "S3Failure";
  readonly operation: string;
  /** As S3 names it, or the system, or the SDK. */
  readonly code: string;
  /** Null where there was no answer. */
  readonly status: number | null;

  constructor(
    operation: string,
    what: { readonly code: string; readonly status: number | null; readonly message: string },
  ) {
    super(
      `S3 ${operation}: ${[what.status, what.code].filter((part) => part !== null).join(" ")}: ${what.message}`,
    );
    this.operation = operation;
    this.code = what.code;
    this.status = what.status;
  }

  /** Whether there is no such object, or no such upload. Of a HEAD there is no more to know than the status. */
  get absent(): boolean {
    return this.status === 404 && this.code !== "NoSuchBucket";
  }

  /** Whether an object stands at the key that was to be free. */
  get taken(): boolean {
    return this.status === 412;
  }

  /** Whether another write of the key was under way: S3 asks to try again. */
  get contested(): boolean {
    return this.status === 409 && this.code === "ConditionalRequestConflict";
  }
}

/** What an answer must say. Rejects what stands there without: a page of a proxy, or half an answer. */
export function saidIn<Said>(operation: string, name: string, said: Said | undefined): Said {
  if (said !== undefined) return said;
  throw new S3Failure(operation, { code: "IncompleteAnswer", status: 200, message: `says no ${name}` });
}

/** What the SDK rejected with, reduced to what may be logged. */
function s3Failure(operation: string, error: unknown, secrets: readonly string[]): S3Failure {
  if (error instanceof S3Failure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const masked = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  return new S3Failure(operation, {
    code: masked(codeOf(error)),
    status: statusOf(error),
    message: masked(message),
  });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("$metadata" in error)) return null;
  const { $metadata: answer } = error;
  if (typeof answer !== "object" || answer === null || !("httpStatusCode" in answer)) return null;
  return typeof answer.httpStatusCode === "number" ? answer.httpStatusCode : null;
}
