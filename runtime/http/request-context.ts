import { randomUUID } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import type { Logger } from "pino";
import type { ErrorCode } from "../errors/index.ts";
import { type AnswerForm, envelope } from "./envelope.ts";
import { logRequest } from "./request-log.ts";

/** What belongs to one request from its first to its last moment. */
export interface RequestContext {
  /** The caller's own `X-Request-Id` where it is well formed, else a new UUID. */
  readonly id: string;
  /** Milliseconds, of `performance.now()`. */
  readonly startedAt: number;
  /** Pattern of the route that answered, for logs and metrics; null when none did. */
  route: string | null;
  /** The caller's user id, once known. */
  userId: string | null;
  /** Of the error envelope that was answered, if one was. */
  errorCode: ErrorCode | null;
  /** What really went wrong, when something did. */
  failure: unknown;
  /** The envelope, until a route knows better. */
  form: AnswerForm;
}

declare global {
  namespace Express {
    interface Request {
      context: RequestContext;
    }
  }
}

const wellFormedId = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Gives each request its context, answers `X-Request-Id`, and logs one line when the request is over. */
export function requestContext(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const sent = request.headers["x-request-id"];
    const id = typeof sent === "string" && wellFormedId.test(sent) ? sent : randomUUID();
    const startedAt = performance.now();
    request.context = {
      id,
      startedAt,
      route: null,
      userId: null,
      errorCode: null,
      failure: undefined,
      form: envelope,
    };
    response.setHeader("X-Request-Id", id);
    response.on("close", () => logRequest(log, request, response));
    next();
  };
}
