import { once } from "node:events";
import { createServer, request } from "node:http";
import { afterFile } from "./after-file.ts";

/**
 * Publishes a service below a prefix that the service does not know, until the test file is over; all else is 404. Gives its own
 * origin.
 */
export async function rewritingProxy(target: string, prefix: string): Promise<string> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, response) => {
    const { method, headers, url = "" } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void response.writeHead(404).end("not below the prefix");
    const path = url.slice(prefix.length);
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, "127.0.0.1");
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}
