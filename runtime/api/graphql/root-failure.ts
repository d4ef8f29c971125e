/** What went wrong in a root field. The route takes the cause out again. */
export class RootFailure extends Error {
  override readonly name = "RootFailure";
  /** The root field's key in the answer. */
  readonly key: string;

  constructor(key: string, cause: unknown) {
    super(`the root field ${key} failed`, { cause });
    this.key = key;
  }
}

/** Does what belongs to one root field. Errors: those of `work`, as `RootFailure`. */
export function inRoot<Result>(key: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new RootFailure(key, error);
  }
}
