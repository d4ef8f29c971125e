import type pg from "pg";
import type { Timing } from "./timing.ts";

/**
 * Settings of a connection that migrates; whatever limits its role has are meant for requests. A process that froze in a
 * transaction, or whose host is gone, keeps its locks no longer than those here. Not all servers know the last ones.
 */
export function sessionSettings({ lockTimeoutMs, idleTimeoutMs }: Timing): string {
  return `
  SET lock_timeout = ${lockTimeoutMs}; SET standard_conforming_strings = on;
  SET TimeZone = 'UTC'; SET DateStyle = 'ISO';
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN
    ('statement_timeout', 'transaction_timeout', 'idle_session_timeout');
  SET idle_in_transaction_session_timeout = ${idleTimeoutMs};
  ${[
    "client_connection_check_interval = '1s'",
    "tcp_keepalives_idle = 30",
    "tcp_keepalives_interval = 10",
    "tcp_keepalives_count = 3",
  ]
    .map((setting) => `DO $$ BEGIN SET ${setting}; EXCEPTION WHEN OTHERS THEN NULL; END $$`)
    .join(";\n  ")}`;
}

/** Ends a connection, if need be without the server's consent: it may be gone. */
export async function endConnection(client: pg.Client, deadlineMs: number): Promise<void> {
  const ended = client.end().catch(() => {});
  if (!(await endsWithin(deadlineMs, ended))) client.connection.stream.destroy();
}

/** Whether something ends before its deadline. Throws what it throws until then. */
export async function endsWithin(deadlineMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
