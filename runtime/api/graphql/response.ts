import type { RequestHandler } from "express";
import type { ServiceError } from "../../core/errors/index.ts";
import { isPreferred, type ResponseFormat, varyBy } from "../../core/http/index.ts";

const mediaType = "application/graphql-response+json";

/**
 * Sets the response form of GraphQL over HTTP for callers that accept its media type, so that common clients
 * show errors. Others get the envelope.
 */
export const chooseForm: RequestHandler = (request, response, next) => {
  varyBy(response, "Accept");
  if (isPreferred(request.headers.accept, mediaType, "application/json"))
    request.context.responseFormat = graphqlResponseFormat(null);
  next();
};

/** `{data}` or `{errors}`. `path` is the key of the failed root field, if known. */
export function graphqlResponseFormat(path: string | null): ResponseFormat {
  return {
    contentType: `${mediaType}; charset=utf-8`,
    successText: ({ data }) => `{"data":${data}}`,
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

/** The failure of a root field. The route unwraps its cause. */
export class RootFailure extends Error {
  override readonly name = "RootFailure";
  /** The response key. */
  readonly key: string;

  constructor(key: string, cause: unknown) {
    super(`the root field ${key} failed`, { cause });
    this.key = key;
  }
}

/** Runs work of a root field. Its errors become `RootFailure`s. */
export function runRootField<Result>(key: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new RootFailure(key, error);
  }
}
