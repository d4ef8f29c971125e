import type { Logger as QueueLogger } from "graphile-worker";
import type { Logger } from "pino";

/**
 * What graphile-worker says, as lines of our log: its errors and warnings alone, since each run has a line of ours, and without what it
 * adds, payloads among it.
 */
export async function queueLogger(log: Logger): Promise<QueueLogger> {
  const { Logger: LibraryLogger } = await import("graphile-worker");
  return new LibraryLogger(() => (level, message) => {
    // Of each job that fails, with the message of its error.
    if (message.startsWith("Failed task ")) return;
    if (level === "error" || level === "warning") log.warn({ from: "graphile-worker" }, message);
  });
}
