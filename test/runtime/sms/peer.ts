import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request as the provider got it. */
export interface Got {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Peer {
  readonly origin: string;
  readonly got: readonly Got[];
}

/** A provider of text messages: a real HTTP server that answers as told, until the test is over. */
export async function peer(answer: (response: ServerResponse) => void): Promise<Peer> {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = "", url: path = "", headers } = request;
    got.push({ method, path, headers, body: Buffer.concat(parts).toString() });
    answer(response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  return { origin: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, got };
}

/** The error that a promise rejects with, and everything that a log would print of it. */
export async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("it did not fail");
  return `${error.message} ${JSON.stringify({ ...error })} ${error.cause ?? ""}`;
}
