import type { Request, Response } from "express";
import type { Logger } from "pino";
import { fixedPaths } from "../../../vocabulary/built-in-routes.ts";

const unlogged = new Set<string>([fixedPaths.health, fixedPaths.ready]);

/** Its keys stand in this order. */
interface Line {
  request_id: string;
  method: string;
  path: string;
  status?: number;
  error?: string;
  duration_ms?: number;
  user_id?: string;
  err?: unknown;
  aborted?: true;
}

/**
 * Writes the one line of a request: never its query string, headers or body, which may hold secrets. A request that was
 * cut off before its answer has no status.
 */
export function logRequest(log: Logger, request: Request, response: Response): void {
  const { context } = request;
  const status = response.headersSent ? response.statusCode : null;
  // A stream can fail after its status has gone.
  const isFailure = status !== null && (status >= 500 || context.failure !== undefined);
  // Whoever looks after the service asks again and again. Why it has nothing to show was told when that began.
  const isExpected = !context.isRecorded && context.failure === undefined;
  const level = isFailure && !isExpected ? "error" : "info";
  if (!log.isLevelEnabled(level)) return;
  const path = pathOf(request.originalUrl);
  // A service that stops says 503 to whoever asks, and nothing is wrong.
  if (unlogged.has(path) && (!isFailure || context.failure === undefined)) return;
  log[level](lineOf(request, response, path, status), "request");
}

/** Written out: what is spread takes longer than to put all of it into a text. */
function lineOf({ context, method }: Request, response: Response, path: string, status: number | null): Line {
  const line: Line = { request_id: context.id, method, path: context.route ?? unknownPath(path) };
  if (status !== null) line.status = status;
  if (context.errorCode !== null) line.error = context.errorCode;
  line.duration_ms = Math.round((performance.now() - context.startedAt) * 100) / 100;
  if (context.userId !== null) line.user_id = context.userId;
  if (context.failure !== undefined) line.err = context.failure;
  if (!response.writableFinished) line.aborted = true;
  return line;
}

/** A path that leads nowhere may hold anything: parts that look like more than a name are left out. */
function unknownPath(path: string): string {
  return path.slice(0, 200).replace(/[^/]+/g, (part) => (/^[\w-]{1,32}$/.test(part) ? part : "*"));
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}
