import type { Statement } from "./queryable.ts";

/** One of several times that something is tried. */
export interface Attempt {
  /** Another one would follow, should this one fail for a reason that may pass. */
  readonly mayRetry: boolean;
  /** One before it failed because of what others did at the same time. */
  readonly isAgain: boolean;
}

/** The statement that an attempt runs. */
export function ofAttempt(statement: Statement, isAgain: boolean): Statement {
  return isAgain ? (statement.again ?? statement) : statement;
}
