import { createDatabase, type Database, type DatabaseOptions } from "../database/index.ts";

/** As long as a request waits for its limit. */
const statementMs = 300;
/** By then PostgreSQL has cancelled any statement: the connection is dead. */
const silenceMs = 1_000;

/**
 * Connections for the counters in PostgreSQL, which must not wait for the requests that they are to limit: one to count, and
 * one to remove what has expired, as beside an old transaction that takes long. What a crash loses of the counters is not
 * worth a wait for the disk.
 */
export async function connectCounters(
  way: Pick<DatabaseOptions, "url" | "directUrl" | "namedStatements" | "log">,
): Promise<Database> {
  const limits = { statementTimeoutMs: statementMs, lockTimeoutMs: statementMs, answerTimeoutMs: silenceMs };
  const database = createDatabase({ ...way, maxConnections: 2, ...limits, synchronousCommit: false });
  // Now, since it can take longer than a request waits. Who cannot be reached yet is asked again with the first request.
  await database.run({ name: null, text: "select" }, []).catch(() => {});
  return database;
}
