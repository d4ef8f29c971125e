import { ServiceError } from "./service-error.ts";

/** For whoever is turned away while something that the service stands on is silent (decisions, part 1). In seconds. */
export const retryLater = { "Retry-After": "5" } as const;

/** 503 `HTTP_ERROR`: the database is silent, or its connections are all taken. The cause goes to the log alone. */
function noAnswer(cause: unknown): ServiceError {
  const options = { status: 503, headers: retryLater, cause };
  return new ServiceError("HTTP_ERROR", "The database does not answer right now.", undefined, options);
}

/** For whoever is turned away since there is much to do at this moment. In seconds. */
export const retrySoon = { "Retry-After": "1" } as const;

/** 503 `HTTP_ERROR`: more arrives than can be done. One for all: while there is too much to do, each refusal must cost little. */
export const tooMuchToDo = new ServiceError(
  "HTTP_ERROR",
  "The service has more to do than it can right now.",
  undefined,
  { status: 503, headers: retrySoon },
);

/** What is answered where the database could not be had, by the kind of its failure; null: that is not what has failed. */
export function notNow(kind: string | undefined, cause: unknown): ServiceError | null {
  if (kind === "too_many") return tooMuchToDo;
  return kind === "no_answer" ? noAnswer(cause) : null;
}
