import type { Server } from "node:http";
import { listen } from "#runtime/process/http-lifecycle";
import { afterFile } from "./after-file.ts";

/** Lets a server listen until the test file is over. Gives its origin. */
export async function listening(server: Server): Promise<string> {
  const origin = await listen(server, 0, "127.0.0.1");
  afterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  return origin;
}
