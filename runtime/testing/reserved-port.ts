import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:net";

/** A free local port, reserved until a server listens on it or `free` is called. */
export interface ReservedPort {
  /** The URL of the future server. */
  readonly url: string;
  /** Lets a server listen on the port. */
  handTo(server: Server): Promise<void>;
  /** Releases the port. After `handTo`, the server releases it. */
  free(): void;
}

/** Reserves a port, because a service needs its own URL before it listens. */
export async function reservePort(): Promise<ReservedPort> {
  const holder = createServer();
  holder.listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  if (typeof address !== "object" || address === null) throw new Error("nothing listens");
  return {
    // Passkeys need a domain, not an IP address.
    url: `http://localhost:${address.port}`,
    async handTo(server) {
      // The server takes over the socket.
      server.listen(holder);
      await once(server, "listening");
    },
    free: () => void holder.close(),
  };
}
