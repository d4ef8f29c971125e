import pg from "pg";
import type { Logger } from "pino";
import { readerOf } from "./column-values.ts";
import { NoAnswerError } from "./connection-error.ts";
import { PooledConnection, type Prepares } from "./pooled-connection.ts";
import { endWhenSilent } from "./silence.ts";

export interface ConnectOptions {
  readonly url: string;
  /** Longest time until a connection is made. */
  readonly connectTimeoutMs: number;
  /** 0 for no limit. */
  readonly statementTimeoutMs: number;
  /** 0 for no limit. */
  readonly lockTimeoutMs: number;
  /** 0 for no limit. */
  readonly answerTimeoutMs: number;
  readonly synchronousCommit: boolean;
  readonly prepares: Prepares;
  /** Whether the server works on what it was asked on a connection. */
  readonly isWorking: (connection: PooledConnection) => Promise<boolean>;
  readonly onSilent: () => void;
  readonly log: Logger;
}

/** Makes a connection that is ready for requests. Rejects with a NoAnswerError where that takes too long. */
export async function connect(options: ConnectOptions): Promise<PooledConnection> {
  const client = new pg.Client({
    connectionString: options.url,
    keepAlive: true,
    application_name: "kirak",
    types: hookTypes,
  });
  const connection = new PooledConnection(client, options.prepares);
  // Without a listener a connection that is lost would end the process.
  client.on("error", (error) => {
    connection.broken = true;
    options.log.warn({ err: error }, "a database connection was lost");
  });
  const late = new NoAnswerError(`no connection to the database within ${options.connectTimeoutMs} ms`);
  const timer = setTimeout(() => connection.socket.destroy(late), options.connectTimeoutMs);
  try {
    await client.connect();
    await applySettings(connection, options);
  } catch (error) {
    connection.socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (options.answerTimeoutMs > 0) endWhenSilent(connection, silence(options));
  return connection;
}

/** Where PostgreSQL cancels each statement before the longest silence is over, nobody needs to ask whether it is worked on. */
function silence({ answerTimeoutMs, statementTimeoutMs, isWorking, onSilent }: ConnectOptions) {
  const mayTakeLonger = statementTimeoutMs === 0 || statementTimeoutMs > answerTimeoutMs;
  const longestWorkMs =
    statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + answerTimeoutMs;
  return { answerTimeoutMs, onSilent, longestWorkMs, isWorking: mayTakeLonger ? isWorking : null };
}

/** Set by statement and not in the start-up message, which poolers such as PgBouncer refuse to pass on. */
async function applySettings(connection: PooledConnection, options: ConnectOptions): Promise<void> {
  const limits = Object.entries({ ...printedForms, ...limitsOf(options) });
  const [row] = await connection.run({ name: null, text: "select pg_backend_pid()" }, []);
  if (row?.[0] === connection.processId) {
    await connection.command(...reported, ...limits.map(([name, value]) => `set ${name} = '${value}'`));
    return;
  }
  // A pooler names a process that is not there. It passes on what the server reports, and keeps no other setting.
  await connection.command(...reported);
  const settings = limits.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  connection.opening = `select ${settings.join()}`;
}

/** Settings whose changes PostgreSQL reports. They are what a pooler restores on each server process that it gives a connection. */
const reported = [
  "set TimeZone = 'UTC'",
  "set DateStyle = 'ISO, YMD'",
  "set standard_conforming_strings = on",
];

/** What a database or role may set otherwise, and values are read by. */
const printedForms = { extra_float_digits: "1", bytea_output: "hex", IntervalStyle: "postgres" };

function limitsOf({ statementTimeoutMs, lockTimeoutMs, synchronousCommit }: ConnectOptions) {
  return {
    idle_in_transaction_session_timeout: "60s",
    statement_timeout: String(Math.trunc(statementTimeoutMs)),
    lock_timeout: String(Math.trunc(lockTimeoutMs)),
    ...(!synchronousCommit && { synchronous_commit: "off" }),
  };
}

/** Values in rows that hooks read through knex look as they do in the API; of types that it does not have, as pg reads them. */
const hookTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (format === "binary") return pg.types.getTypeParser(oid, "binary");
    return readerOf(oid) ?? pg.types.getTypeParser(oid, "text");
  },
};
