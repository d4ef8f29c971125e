import pino from "pino";
import { connectCache } from "#runtime/core/cache/index";

/** Connects to a Redis, prints whether it responds, and closes; a process that must end by itself. */
const log = pino({ level: "warn" }, pino.destination({ dest: 1, sync: true }));
const cache = await connectCache(process.argv[2] ?? "", log);
const answer = await cache.ping().then(
  () => "it answers",
  () => "it does not answer",
);
process.stdout.write(`${answer}\n`);
await cache.close();
