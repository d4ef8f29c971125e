import { once } from "node:events";
import { developmentSecret } from "#runtime/core/config/auth-settings";

/** Waits for the message, then prints the secret; run by a test as several processes at once. */
process.send?.("ready");
await once(process, "message");
process.send?.(developmentSecret(process.argv[2] ?? ""));
process.disconnect();
