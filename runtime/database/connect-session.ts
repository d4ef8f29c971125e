import pg from "pg";
import type { Logger } from "pino";
import { NoAnswerError } from "./connection-error.ts";
import { hookTypes } from "./hook-types.ts";
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
  readonly isWorking: (session: PooledConnection) => Promise<boolean>;
  readonly onSilent: () => void;
  readonly log: Logger;
}

/** Makes a connection that is ready for requests. Rejects with a NoAnswerError where that takes too long. */
export async function connectSession(options: ConnectOptions): Promise<PooledConnection> {
  const client = new pg.Client({
    connectionString: options.url,
    keepAlive: true,
    application_name: "kirak",
    types: hookTypes,
  });
  const session = new PooledConnection(client, options.prepares);
  // Without a listener a connection that is lost would end the process.
  client.on("error", (error) => {
    session.broken = true;
    options.log.warn({ err: error }, "a database connection was lost");
  });
  const late = new NoAnswerError(`no connection to the database within ${options.connectTimeoutMs} ms`);
  const timer = setTimeout(() => session.socket.destroy(late), options.connectTimeoutMs);
  try {
    await client.connect();
    await prepare(session, options);
  } catch (error) {
    session.socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (options.answerTimeoutMs > 0) endWhenSilent(session, silence(options));
  return session;
}

/** Where PostgreSQL cancels each statement before the longest silence is over, nobody needs to ask whether it is worked on. */
function silence({ answerTimeoutMs, statementTimeoutMs, isWorking, onSilent }: ConnectOptions) {
  const mayTakeLonger = statementTimeoutMs === 0 || statementTimeoutMs > answerTimeoutMs;
  const longestWorkMs =
    statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + answerTimeoutMs;
  return { answerTimeoutMs, onSilent, longestWorkMs, isWorking: mayTakeLonger ? isWorking : null };
}

/** Set by statement and not in the start-up message, which poolers such as PgBouncer refuse to pass on. */
async function prepare(session: PooledConnection, options: ConnectOptions): Promise<void> {
  const limits = Object.entries(limitsOf(options));
  const [row] = await session.run({ name: null, text: "SELECT pg_backend_pid()" }, []);
  if (row?.[0] === session.processId) {
    await session.command(...reported, ...limits.map(([name, value]) => `SET ${name} = '${value}'`));
    return;
  }
  // A pooler names a process that is not there. It passes on what the server reports, and keeps no other setting.
  await session.command(...reported);
  const settings = limits.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  session.opening = `SELECT ${settings.join()}`;
}

/** Settings whose changes PostgreSQL reports. They are what a pooler restores on each server process that it gives a connection. */
const reported = [
  "SET TimeZone = 'UTC'",
  "SET DateStyle = 'ISO, YMD'",
  "SET standard_conforming_strings = on",
];

function limitsOf({ statementTimeoutMs, lockTimeoutMs, synchronousCommit }: ConnectOptions) {
  return {
    extra_float_digits: "1",
    idle_in_transaction_session_timeout: "60s",
    statement_timeout: String(Math.trunc(statementTimeoutMs)),
    lock_timeout: String(Math.trunc(lockTimeoutMs)),
    ...(!synchronousCommit && { synchronous_commit: "off" }),
  };
}
