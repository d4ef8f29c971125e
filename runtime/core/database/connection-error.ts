/** No connection to the database, or none any more. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * The database said nothing in time, or no connection came free in time (decisions, part 1): who asks again later may be
 * luckier.
 */
export class NoAnswerError extends ConnectionError {
  override readonly name: string = "NoAnswerError";

  constructor(message: string) {
    super(new Error(message));
  }
}

/** The database was silent when a write, or a commit, was under way: it may have been carried out. */
export class LostAnswerError extends NoAnswerError {
  override readonly name = "LostAnswerError";

  /** What a failure of such a statement is: this where the database was silent, else the error itself. */
  static of(error: unknown): unknown {
    return error instanceof NoAnswerError ? new LostAnswerError(error.message) : error;
  }
}

/**
 * Too many wait already. One for all: whoever is refused while there is much to do must cost little, and a stack costs more than
 * the rest of a refusal.
 */
export const tooManyWait = new NoAnswerError("too many wait for a database connection");

// Where this file was loaded tells nobody anything.
for (const error of [tooManyWait, tooManyWait.cause]) if (error instanceof Error) delete error.stack;

/** What comes after the connections were closed. */
export function closedError(): ConnectionError {
  return new ConnectionError(new Error("the database connections are closed"));
}
