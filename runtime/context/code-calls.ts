/**
 * The calls of `db`, `sql`, `jobs`, `mail` and `sms` in one context. Inside a transaction they take turns, since each may have to undo itself alone,
 * and none may be left behind by what they were given to.
 */
export class CodeCalls {
  #hasEnded = false;
  /** Whether `db.transaction()` has handed on another context. */
  #isHandedOn = false;
  #last: Promise<unknown> | null = null;
  readonly #left = new Set<Promise<unknown>>();

  /** Errors: where the context has ended, or another one is in its place. */
  requireOpen(): void {
    const refusal = this.#refusal();
    if (refusal !== null) throw refusal;
  }

  /** Runs a call at once. */
  now<Result>(call: () => Promise<Result>): Promise<Result> {
    const refusal = this.#refusal();
    return refusal === null ? call() : Promise.reject(refusal);
  }

  /** Runs a call once those before it have ended. */
  inTurn<Result>(call: () => Promise<Result>): Promise<Result> {
    const refusal = this.#refusal();
    if (refusal !== null) return Promise.reject(refusal);
    const begun = this.#last === null ? call() : this.#last.then(() => this.#begin(call));
    const end = () => {
      this.#left.delete(begun);
      if (this.#last === ended) this.#last = null;
    };
    const ended = begun.then(end, end);
    this.#left.add(begun);
    this.#last = ended;
    return begun;
  }

  /** Runs a call that hands on another context, in turn or at once: until it has ended nothing else is called here. */
  handOn<Result>(call: () => Promise<Result>, how: "now" | "inTurn"): Promise<Result> {
    return this[how](() => {
      this.#isHandedOn = true;
      return call().finally(() => {
        this.#isHandedOn = false;
      });
    });
  }

  /** Takes no further call, and waits for those that run in turn. Gives whether there were any. */
  async end(): Promise<boolean> {
    this.#hasEnded = true;
    if (this.#last === null) return false;
    // Whoever left them behind hears of that, and not of each by itself.
    for (const call of this.#left) call.catch(() => {});
    await this.#last;
    return true;
  }

  async #begin<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#hasEnded) throw endedError();
    return call();
  }

  #refusal(): Error | null {
    if (this.#hasEnded) return endedError();
    if (!this.#isHandedOn) return null;
    return new Error(
      "context.db.transaction() is under way: inside it use the context that it hands on, and await it before you go on with this one",
    );
  }
}

function endedError(): Error {
  return new Error("a context ends with what it was given to: await each call of it before that is over");
}
