import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Serves a client that sends its body when it is asked to, `Expect: 100-continue`: it is asked when somebody begins to read. A
 * body that nobody reads, such as one that is too large, is not sent at all.
 */
export function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const ask = (event: string | symbol) => {
    if (event !== "data" && event !== "readable") return;
    request.off("newListener", ask);
    if (!response.headersSent) response.writeContinue();
  };
  request.on("newListener", ask);
}
