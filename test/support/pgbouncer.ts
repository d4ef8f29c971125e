import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterFile } from "./after-file.ts";
import { freePort } from "./free-port.ts";
import { needs } from "./needs.ts";

const program = needs("pgbouncer");

/** For `describe.skipIf(!hasPgBouncer)`. */
export const hasPgBouncer = program !== null;

/** Since 1.21 it knows the named statements of a client on whichever server process the next transaction gets. */
export const knowsNamedStatements = program !== null && isAtLeast(versionOf(program), [1, 21]);

/** PgBouncer refuses to run as root. */
const unprivileged = 65_534;

/**
 * A PgBouncer in transaction mode in front of a database, ended after the test file: two server processes for however many
 * clients.
 */
export async function pgBouncerTo(target: string): Promise<{ readonly url: string }> {
  const { hostname, port, username, password, pathname } = new URL(target);
  const folder = mkdtempSync(join(tmpdir(), "kirak-pgbouncer-"));
  const own = await freePort();
  const database = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = ${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100
${knowsNamedStatements ? "max_prepared_statements = 200" : ""}
`,
  );
  chmodSync(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  const server = spawn(program ?? "pgbouncer", [join(folder, "pgbouncer.ini")], {
    stdio: ["ignore", "ignore", "pipe"],
    ...(isRoot && { uid: unprivileged, gid: unprivileged }),
  });
  const end = () => void server.kill("SIGKILL");
  process.on("exit", end);
  afterFile(async () => {
    process.off("exit", end);
    if (server.exitCode === null) {
      end();
      await once(server, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });
  await untilUp(server);
  return { url: `postgres://${username}@127.0.0.1:${own}${pathname}` };
}

/** Waits for the log line that reports it. */
async function untilUp(server: ChildProcess): Promise<void> {
  let output = "";
  for await (const chunk of server.stderr ?? []) {
    output += String(chunk);
    if (output.includes("process up")) {
      server.stderr?.resume();
      return;
    }
  }
  throw new Error(`PgBouncer ended: ${output}`);
}

function versionOf(path: string): number[] {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return (/PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
}

function isAtLeast(
  [major = 0, minor = 0]: readonly number[],
  [leastMajor, leastMinor]: readonly [number, number],
) {
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
