import type { Redis } from "ioredis";
import type { Logger } from "pino";

/** Logs the beginning and the end of each outage, and not the attempts between them. */
export function reportOutages(client: Redis, log: Logger): void {
  let isDown = false;
  client.on("error", (error: Error) => {
    if (isDown) return;
    isDown = true;
    // The message alone: an error of ioredis also holds the command that failed, and that may be AUTH.
    log.warn({ reason: messageOf(error) }, "Redis cannot be reached");
  });
  client.on("ready", () => {
    if (isDown) log.info("Redis is reachable again");
    isDown = false;
  });
}

/** A host with several addresses fails with an error that has no message of its own. */
function messageOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((one) => messageOf(one)).join("; ");
  return error.message;
}
