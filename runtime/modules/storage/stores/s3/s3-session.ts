import { setMaxListeners } from "node:events";
import { TimedOut } from "../../../../core/concurrency/index.ts";
import type { S3Connection } from "./s3-connection.ts";

/** The provider neither responded nor took a byte in time. */
class ProviderSilence extends TimedOut {
  override readonly name = "ProviderSilence";
}

/** An idle timeout: each byte and each response resets it. */
class IdleDeadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #resets = 0;

  constructor(idleMs: number) {
    // Each request of the session adds a listener.
    setMaxListeners(0, this.#controller.signal);
    const silence = new ProviderSilence(`the storage provider was silent for ${idleMs} ms`);
    this.#timer = setTimeout(() => {
      const resets = this.#resets;
      // Received data that a busy process has not read yet is in time.
      setImmediate(() => {
        if (resets === this.#resets) this.#controller.abort(silence);
      });
    }, idleMs);
  }

  /** Aborts at the deadline. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  reset(): void {
    this.#resets += 1;
    // `refresh` restarts a timer that has fired.
    if (!this.signal.aborted) this.#timer.refresh();
  }

  end(): void {
    this.#resets += 1;
    clearTimeout(this.#timer);
  }
}

/** Runs work with an idle timeout. Rejects with `ProviderSilence`. */
export async function withIdleTimeout<Value>(
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

interface RequestOptions {
  readonly abortSignal: AbortSignal;
}

/** Requests that share one deadline. */
export class S3Session {
  readonly connection: S3Connection;
  readonly #deadline: IdleDeadline;
  readonly #onProgress: () => void;

  constructor(connection: S3Connection, deadline: IdleDeadline, onProgress: () => void = () => {}) {
    this.connection = connection;
    this.#deadline = deadline;
    this.#onProgress = onProgress;
  }

  /** Aborts at the deadline. */
  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  /** Bucket and key of an object. */
  objectInput(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.connection.bucket, Key: key };
  }

  /** The provider took bytes or responded. */
  progressed(): void {
    this.resetTimeout();
    this.#onProgress();
  }

  /** Resets the timeout. */
  resetTimeout(): void {
    this.#deadline.reset();
  }

  /** Sends a request with the SDK's retries. Rejects with `S3Failure`. */
  async request<Output>(
    operation: string,
    send: (options: RequestOptions) => Promise<Output>,
  ): Promise<Output> {
    try {
      const output = await send({ abortSignal: this.signal });
      this.progressed();
      return output;
    } catch (error) {
      this.signal.throwIfAborted();
      const failure = s3Failure(operation, error, this.connection.secrets);
      if (failure.status !== null) this.progressed();
      throw failure;
    }
  }
}

/** An S3 error without its request, so that no signature or token gets into the log. */
export class S3Failure extends Error {
  override readonly name = "S3Failure";
  readonly operation: string;
  /** Code of S3, the system or the SDK. */
  readonly code: string;
  /** Null without a response. */
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

  /** Whether the object or upload does not exist. A HEAD response has only its status. */
  get absent(): boolean {
    return this.status === 404 && this.code !== "NoSuchBucket";
  }

  /** Whether the key is in use. */
  get taken(): boolean {
    return this.status === 412;
  }

  /** Whether another write of the key is in progress; S3 asks for a retry. */
  get contested(): boolean {
    return this.status === 409 && this.code === "ConditionalRequestConflict";
  }
}

/** A required value of a response. It is missing in truncated responses and in pages of a proxy. */
export function requireValue<Said>(operation: string, name: string, said: Said | undefined): Said {
  if (said !== undefined) return said;
  throw new S3Failure(operation, {
    code: "IncompleteAnswer",
    status: 200,
    message: `the response has no ${name}`,
  });
}

/** An SDK error, reduced to loggable fields. */
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
