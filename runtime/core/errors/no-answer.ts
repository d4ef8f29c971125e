import { ServiceError } from "./service-error.ts";

/** For whoever is turned away while something that the service stands on is silent (decisions, part 1). In seconds. */
export const retryLater = { "Retry-After": "5" } as const;

/** 503 `HTTP_ERROR`: the database is silent, or its connections are all taken. The cause goes to the log alone. */
function noAnswer(cause: unknown): ServiceError {
  const options = { status: 503, headers: retryLater, cause };
  return new ServiceError("HTTP_ERROR", "The database does not answer right now.", undefined, options);
}

/** 503 `HTTP_ERROR` without `Retry-After`: the request may have been carried out, so a client must not simply repeat it. */
function lostAnswer(cause: unknown): ServiceError {
  const message = "The database did not answer in time. The request may have been carried out.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 503, cause });
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
  if (kind === "lost_answer") return lostAnswer(cause);
  return kind === "no_answer" ? noAnswer(cause) : null;
}

/** What a failure is once something was carried out: not one after which the same request is to be sent again. */
export function afterWrite(error: unknown): unknown {
  const isRefusal = error === tooMuchToDo || (error instanceof ServiceError && error.headers === retryLater);
  return isRefusal ? lostAnswer(error) : error;
}
