/**
 * Settings of a connection that migrates; whatever limits its role has are meant for requests. The block is for servers
 * that cannot notice, in the midst of a long step, that the process behind it was killed.
 */
export function sessionSettings(lockTimeoutMs: number): string {
  return `
  SET lock_timeout = ${lockTimeoutMs}; SET standard_conforming_strings = on;
  SET TimeZone = 'UTC'; SET DateStyle = 'ISO';
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN
    ('statement_timeout', 'transaction_timeout', 'idle_session_timeout', 'idle_in_transaction_session_timeout');
  DO $$ BEGIN SET client_connection_check_interval = '1s'; EXCEPTION WHEN OTHERS THEN NULL; END $$`;
}
