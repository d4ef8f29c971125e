import { startEmbedded } from "#runtime/migrations/embedded-postgres/index";
import { silent } from "../../../support/silent-log.ts";

/** Starts an embedded PostgreSQL, prints its URL and waits to be killed; run by a test as a process. */
const { url } = await startEmbedded({ home: process.argv[2] ?? "", log: silent, settings: { fsync: "off" } });
process.send?.(url);
