import type pg from "pg";
import type { Timing } from "./timing.ts";

/**
 * Settings of a connection that migrates. They override the role's limits, which are meant for requests. A
 * frozen or lost client loses its locks after these timeouts. Some servers do not support the last four.
 */
export function sessionSettings({ lockTimeoutMs, idleTimeoutMs }: Timing): string {
  return `
  set lock_timeout = ${lockTimeoutMs}; set standard_conforming_strings = on;
  set TimeZone = 'UTC'; set DateStyle = 'ISO';
  select set_config(name, '0', false) from pg_settings where name in
    ('statement_timeout', 'transaction_timeout', 'idle_session_timeout');
  set idle_in_transaction_session_timeout = ${idleTimeoutMs};
  ${[
    "client_connection_check_interval = '1s'",
    "tcp_keepalives_idle = 30",
    "tcp_keepalives_interval = 10",
    "tcp_keepalives_count = 3",
  ]
    .map((setting) => `do $$ begin set ${setting}; exception when others then null; end $$`)
    .join(";\n  ")}`;
}

/** Closes a connection. If the server does not respond in time, destroys the socket. */
export async function endConnection(client: pg.Client, deadlineMs: number): Promise<void> {
  const ended = client.end().catch(() => {});
  if (!(await endsWithin(deadlineMs, ended))) client.connection.stream.destroy();
}

/** Whether `work` ends before the deadline. Rejects if `work` rejects before it. */
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
