import type { Logger } from "pino";
import type { Awaitable } from "../../core/concurrency/index.ts";

/**
 * A promise that records whether it is awaited. If it fails without being awaited, the process does not end.
 */
class AppCall<Result> extends Promise<Result> {
  /** Promises derived from it are normal promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of<Result>(running: Promise<Result>, onHeard: () => void): AppCall<Result> {
    const call = new AppCall<Result>((resolve, reject) => void running.then(resolve, reject));
    call.then(undefined, () => {});
    call.#onHeard = onHeard;
    return call;
  }

  #onHeard = (): void => {};

  // biome-ignore lint/suspicious/noThenProperty: that is where waiting begins
  override then<Kept = Result, Caught = never>(
    onFulfilled?: ((value: Result) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.#onHeard();
    return super.then(onFulfilled, onRejected);
  }
}

/**
 * The calls of `db`, `sql`, `kysely`, `jobs`, `mail` and `sms` in one context. App code must await them.
 * Inside a transaction they run one after the other, because each can be rolled back.
 */
export class AppCalls {
  /** Whether a call has begun, which can have written. */
  hasRun = false;
  #hasEnded = false;
  /** `db.transaction()` is running with another context. */
  #isPassedOn = false;
  #hasDeferredWork = false;
  #last: Promise<unknown> | null = null;
  #log: Logger | null = null;
  readonly #running = new Set<Promise<unknown>>();
  /** Calls that are not awaited. */
  readonly #unheard = new Set<AppCall<unknown>>();

  tell(log: Logger): void {
    this.#log = log;
  }

  /** Throws if the context has ended, or if an inner context is active. */
  requireOpen(): void {
    const refusal = this.#refusal();
    if (refusal !== null) throw refusal;
  }

  /** Records that the hook registered deferred work. The work starts after this context has ended. */
  noteDeferredWork(): void {
    this.requireOpen();
    this.#hasDeferredWork = true;
  }

  /** Runs a call at once. */
  now<Result>(call: () => Promise<Result>): Promise<Result> {
    const refusal = this.#refusal();
    return refusal === null ? this.#track(call()) : this.#refuse(refusal);
  }

  /** Runs a call at once that does not need to be awaited. */
  runDetached<Result>(call: () => Promise<Result>): Promise<Result> {
    const refusal = this.#refusal();
    this.hasRun = true;
    return refusal === null ? call() : this.#refuse(refusal);
  }

  /** Runs a call after those before it. */
  serialize<Result>(call: () => Promise<Result>): Promise<Result> {
    const refusal = this.#refusal();
    if (refusal !== null) return this.#refuse(refusal);
    const begun = this.#last === null ? call() : this.#last.then(() => this.#begin(call));
    const end = () => {
      if (this.#last === ended) this.#last = null;
    };
    const ended = begun.then(end, end);
    this.#last = ended;
    return this.#track(begun);
  }

  /** Runs a call that passes another context: until it ends, this one accepts no calls. */
  passOn<Result>(call: () => Promise<Result>, how: "now" | "serialize"): Promise<Result> {
    return this[how](() => {
      this.#isPassedOn = true;
      return call().finally(() => {
        this.#isPassedOn = false;
      });
    });
  }

  /**
   * Rejects further calls and waits for running ones. Returns whether all calls had ended and were awaited.
   */
  async end(): Promise<boolean> {
    this.#hasEnded = true;
    const isOver = this.#running.size === 0;
    await Promise.allSettled(this.#running);
    return isOver && this.#unheard.size === 0;
  }

  #track<Result>(running: Promise<Result>): AppCall<Result> {
    this.hasRun = true;
    const call = AppCall.of(running, () => void this.#unheard.delete(call));
    this.#unheard.add(call);
    const end = () => void this.#running.delete(running);
    running.then(end, end);
    this.#running.add(running);
    return call;
  }

  /** Possibly no code awaits it: work that has ended cannot fail, and the process must not end. */
  #refuse(refusal: Error): AppCall<never> {
    let isHeard = false;
    const call = AppCall.of<never>(Promise.reject(refusal), () => {
      isHeard = true;
    });
    setImmediate(() => {
      if (!isHeard) this.#log?.error({ err: refusal }, "a call failed, and the app code did not await it");
    });
    return call;
  }

  async #begin<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#hasEnded) throw this.#endedError();
    return call();
  }

  #refusal(): Error | null {
    if (this.#hasEnded) return this.#endedError();
    if (!this.#isPassedOn) return null;
    return new Error(
      "context.db.transaction() is running: use the context of its callback inside it, and await it before you use the outer context",
    );
  }

  #endedError(): Error {
    const later = "; afterCommit callbacks get their own context: afterCommit(async ({ db }) => …)";
    return new Error(
      `the context has ended: await all of its calls before your function returns${this.#hasDeferredWork ? later : ""}`,
    );
  }
}

/**
 * Runs code with calls. Errors: also if the code does not await a call. Such a call must not affect later
 * work.
 */
export async function withCalls<Result>(
  name: string,
  code: (calls: AppCalls) => Awaitable<Result>,
): Promise<Result> {
  const calls = new AppCalls();
  try {
    const result = await code(calls);
    if (!(await calls.end())) throw notAwaited(name);
    return result;
  } catch (error) {
    await calls.end();
    throw error;
  }
}

function notAwaited(name: string): Error {
  return new Error(
    `${name} did not await a call of its context: await each call of db, sql, kysely, jobs, mail and sms`,
  );
}
