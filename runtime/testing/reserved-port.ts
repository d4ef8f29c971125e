import { once } from "node:events";
import type { Server } from "node:http";
import { createServer } from "node:net";

/** A free local port that no other process takes meanwhile. */
export interface ReservedPort {
  /** The address of what will listen there. */
  readonly url: string;
  /** Has a server listen there. */
  handTo(server: Server): Promise<void>;
  /** Releases the port; its new owner releases it afterwards. */
  free(): void;
}

/** Reserves a port: what listens there has to know its own address before. */
export async function reservePort(): Promise<ReservedPort> {
  const holder = createServer();
  holder.listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  if (typeof address !== "object" || address === null) throw new Error("nothing listens");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async handTo(server) {
      // The same socket, which goes over to the other one.
      server.listen(holder);
      await once(server, "listening");
    },
    free: () => void holder.close(),
  };
}
