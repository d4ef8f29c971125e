import { ServerResponse } from "node:http";
import type { Express } from "express";
import { dropUnread } from "./unread-body.ts";

/** Of a client that takes nothing of its answer. One that is slow but takes some of it may go on. */
const longestPauseMs = 60_000;

/**
 * Bounds what an answer of this application costs once it is ended: how long its client may take to read it, and what is still
 * read of a body that it came before.
 */
export function boundAnswers(app: Express): void {
  // On what all responses of an application inherit from: a property of each would cost more than the rest of this.
  Object.defineProperty(app.response, "end", { value: end, writable: true });
}

function end<R extends ServerResponse>(this: R, ...parameters: unknown[]): R {
  dropUnread(this.req, this);
  Reflect.apply(ServerResponse.prototype.end, this, parameters);
  // node:http sets another limit once all of it is in the hands of the system.
  if (this.writableLength > 0) boundPauses(this);
  return this;
}

/** Ends an answer whose client takes nothing of it for a minute. For those that are sent over time; others are bounded anyway. */
export function boundPauses(response: ServerResponse): void {
  response.socket?.setTimeout(longestPauseMs);
}
