import type { RequestHandler } from "express";
import type { ServiceError } from "../../core/errors/index.ts";
import { type AnswerForm, isPreferred, varyBy } from "../../core/http/index.ts";

const mediaType = "application/graphql-response+json";

/**
 * Has whatever answers a request use the form of GraphQL over HTTP where its caller names that media type, so
 * that the usual clients see errors. For everybody else the envelope stays.
 */
export const chooseForm: RequestHandler = (request, response, next) => {
  varyBy(response, "Accept");
  if (isPreferred(request.headers.accept, mediaType, "application/json"))
    request.context.form = responseForm(null);
  next();
};

/** `{data}`, or without data `{errors}`. `path` is the key of the root field that failed, where one did. */
export function responseForm(path: string | null): AnswerForm {
  return {
    contentType: `${mediaType}; charset=utf-8`,
    answerText: ({ data }) => `{"data":${data}}`,
    errorText: (error) => JSON.stringify({ errors: [graphqlError(error, path)] }),
  };
}

function graphqlError({ code, status, message, details }: ServiceError, path: string | null) {
  return {
    message,
    ...(path !== null && { path: [path] }),
    extensions: { code, statusCode: status, details },
  };
}

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
