import { fork } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import type { MigrateOptions } from "#runtime/migrations/runner/index";
import type { Migration } from "#vocabulary/migrations/migration-steps";
import { compiled } from "../../../support/compiled.ts";
import type { TestDatabase } from "../../../support/database.ts";

const script = compiled(new URL("migrate-in-process.ts", import.meta.url));

export interface MigratingProcess {
  /** Waits for a line of its log. */
  logs(line: RegExp): Promise<void>;
  /** Waits for its end, and gives its exit code. */
  ends(): Promise<unknown>;
  kill(): Promise<void>;
  /** Its connections stay, and it does nothing any more. */
  freeze(): void;
}

/** Starts a process that applies migrations. */
export function startMigrating(
  url: string,
  migrations: readonly Migration[],
  timing: MigrateOptions["timing"] = {},
): MigratingProcess {
  const child = fork(script, [url], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const lines: string[] = [];
  child.on("message", (line) => lines.push(String(line)));
  child.send({ migrations, timing });
  const exit = once(child, "exit");
  return {
    logs: (line) =>
      expect.poll(() => lines.some((text) => line.test(text)), { timeout: 15_000, interval: 20 }).toBe(true),
    ends: async () => (await exit)[0],
    async kill() {
      child.kill("SIGKILL");
      await exit;
    },
    freeze: () => void child.kill("SIGSTOP"),
  };
}

/** Makes statements of a kind, such as `CREATE TABLE`, wait while a session holds `holdStatements`. */
export async function stopAt({ query }: TestDatabase, tag: string, condition = "true"): Promise<void> {
  await query(`
    CREATE FUNCTION pause() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN IF ${condition} THEN PERFORM pg_advisory_xact_lock(42); END IF; END $$;
    CREATE EVENT TRIGGER pause ON ddl_command_start WHEN TAG IN ('${tag}') EXECUTE FUNCTION pause();
    SELECT pg_advisory_lock(42)`);
}

/** Waits until a statement is blocked at the `stopAt` position. */
export async function untilStopped({ query }: TestDatabase): Promise<void> {
  await untilWaiting({ query }, "locktype = 'advisory' AND objid = 42");
}

/** Releases the statement that is blocked at the `stopAt` position. */
export async function release({ query }: TestDatabase): Promise<void> {
  await query("SELECT pg_advisory_unlock(42); DROP EVENT TRIGGER pause");
}

/** Waits until some session of this database waits for a lock of the kind. */
export async function untilWaiting({ query }: Pick<TestDatabase, "query">, kind: string): Promise<void> {
  const waiting = `
    SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database() AND ${kind}`;
  await expect.poll(() => query(waiting), { timeout: 15_000, interval: 20 }).not.toEqual([]);
}
