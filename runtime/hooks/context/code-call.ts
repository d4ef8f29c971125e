/** What a call of a context gives: a promise that tells when somebody waits for it. One that fails unheard ends no process. */
export class CodeCall<Result> extends Promise<Result> {
  /** What is made of it is a promise like others. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The call that gives what `running` gives. */
  static of<Result>(running: Promise<Result>, onHeard: () => void): CodeCall<Result> {
    const call = new CodeCall<Result>((resolve, reject) => void running.then(resolve, reject));
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
