import { afterFile } from "./after-file.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The official client of the tus protocol, without the signal handlers that a package of it adds. */
export async function tusClient(): Promise<typeof import("tus-js-client")> {
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const client = await import("tus-js-client");
  afterFile(() => {
    for (const [signal, own] of before)
      for (const listener of process.listeners(signal))
        if (!own.includes(listener)) process.off(signal, listener);
  });
  return client;
}
