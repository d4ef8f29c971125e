import type { ServerResponse } from "node:http";
import { cutOff } from "./feed-body.ts";

/** Aborts when a client leaves before it has its answer: work that waits for its turn need not be begun. */
export function clientSignal(response: ServerResponse): AbortSignal {
  const client = new AbortController();
  const leave = () => {
    if (!response.writableFinished) client.abort(cutOff());
  };
  if (response.destroyed) leave();
  else response.once("close", leave);
  return client.signal;
}
