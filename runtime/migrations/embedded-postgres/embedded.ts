import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { chooseSystemAccount, type SystemAccount } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { type ClusterPaths, clusterPaths, ensureCluster, ensurePassword, isAlive, user } from "./cluster.ts";
import { EmbeddedError } from "./embedded-error.ts";

const leaseName = "kirak lease";
const reconnectAttempts = 100;
const reconnectDelayMs = 100;

/** A connection of a process that needs the server. The last process to release its lease stops it. */
interface Lease {
  /** Releases it. Returns whether no other process holds one. */
  end(): Promise<boolean>;
}

/** Rejects as `pg` does when the server does not take the connection. */
async function takeLease(url: string, log: Logger): Promise<Lease> {
  let ended = false;
  let client = await open(url, lost);

  async function lost(): Promise<void> {
    if (ended) return;
    log.warn("the embedded PostgreSQL closed its connections; it restarts itself after a crash");
    for (let attempt = 1; attempt <= reconnectAttempts && !ended; attempt++) {
      await sleep(reconnectDelayMs, undefined, { ref: false });
      try {
        client = await open(url, lost);
        return;
      } catch {}
    }
    if (!ended) log.error("the embedded PostgreSQL has stopped: restart the service");
  }

  return {
    async end() {
      ended = true;
      const others = await countOthers(client);
      await client.end().catch(() => {});
      return others === 0;
    },
  };
}

async function open(url: string, onEnd: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: leaseName,
    connectionTimeoutMillis: 5000,
  });
  client.on("error", () => {});
  await client.connect();
  client.on("end", onEnd);
  return client;
}

/** Counts the other leases. If several processes release at once, the last one sees no other process. */
async function countOthers(client: pg.Client): Promise<number> {
  try {
    await client.query("set application_name = 'kirak leaving'");
    const { rows } = await client.query<{ others: number }>(
      "select count(*)::int as others from pg_stat_activity where application_name = $1",
      [leaseName],
    );
    return rows[0]?.others ?? 0;
  } catch {
    return 0;
  }
}

const pollMs = 20;
const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;
const maxLaunches = 5;

export interface EmbeddedOptions {
  /** Folder for the data folder, the password and the log; usually `var/kirak`. */
  readonly home: string;
  readonly log: Logger;
  /** Further server settings, such as `{ fsync: "off" }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** Stops the server, unless another process uses it. Then the last process to stop stops it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL for development, on a free port of 127.0.0.1. Uses a running server, also one that a
 * killed process left, because another process can be connected to it. Needs no lock for concurrent starts:
 * PostgreSQL allows one server for a data folder, and the other process then finds it. Throws an
 * EmbeddedError.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = findBinaries();
  const paths = clusterPaths(options.home);
  mkdirSync(paths.home, { recursive: true });
  if (!existsSync(paths.data))
    options.log.info("preparing the embedded PostgreSQL: the first start takes some seconds");
  const account = chooseSystemAccount(paths.data, binaries.folder);
  await ensureCluster(paths, binaries, account);
  const password = ensurePassword(paths);
  const { postmaster, lease, url } = await connectOrLaunch(paths, binaries, account, password, options);
  return {
    url,
    async stop() {
      if (await lease.end()) await shutDown(postmaster, paths);
    },
  };
}

interface ConnectedServer {
  readonly postmaster: Postmaster;
  readonly lease: Lease;
  readonly url: string;
}

/** Finds or launches the server until a connection to it is made. */
async function connectOrLaunch(
  paths: ClusterPaths,
  binaries: Binaries,
  account: SystemAccount,
  password: string,
  options: EmbeddedOptions,
): Promise<ConnectedServer> {
  const deadline = Date.now() + startTimeoutMs;
  let launches = 0;
  while (Date.now() < deadline) {
    const postmaster = findPostmaster(paths.data);
    if (postmaster === null) {
      if (launches++ === maxLaunches) break;
      await launch(paths, binaries, account, options.settings ?? {});
    } else if (postmaster.ready) {
      const url = `postgres://${user}:${password}@127.0.0.1:${postmaster.port}/postgres`;
      const lease = await tryLease(url, paths, options.log);
      if (lease !== null) return { postmaster, lease, url };
    }
    await sleep(pollMs);
  }
  throw new EmbeddedError(
    `the embedded PostgreSQL does not start; the end of ${paths.log}:\n${tail(paths.log)}\n` +
      "set SERVICE_DATABASE_URL to use another one",
  );
}

async function tryLease(url: string, paths: ClusterPaths, log: Logger): Promise<Lease | null> {
  try {
    return await takeLease(url, log);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === "28P01")
      throw new EmbeddedError(
        `the password in ${paths.password} does not match ${paths.data}: move both away to start with an empty ` +
          "database, or set SERVICE_DATABASE_URL",
      );
    // The server is starting, stopping or stopped: try again.
    return null;
  }
}

/** Starts a server. Returns when it is ready or has ended, for example because the port is taken. */
async function launch(
  paths: ClusterPaths,
  binaries: Binaries,
  account: SystemAccount,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const port = await freePort();
  const all = { ...settings, listen_addresses: "127.0.0.1", unix_socket_directories: "", timezone: "UTC" };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const output = openSync(paths.log, "a", 0o600);
  const child = account.spawn(
    binaries.postgres,
    ["-D", paths.data, "-p", String(port), ...flags],
    ["ignore", output, output],
  );
  closeSync(output);
  let ended = false;
  child.on("exit", () => {
    ended = true;
  });
  child.on("error", () => {
    ended = true;
  });
  child.unref();
  const deadline = Date.now() + startTimeoutMs;
  while (!ended && Date.now() < deadline && findPostmaster(paths.data)?.ready !== true) await sleep(pollMs);
}

/** Fast shutdown: PostgreSQL ends its sessions, writes everything to disk and exits. */
async function shutDown(postmaster: Postmaster, paths: ClusterPaths): Promise<void> {
  const current = findPostmaster(paths.data);
  if (current?.pid !== postmaster.pid) return;
  process.kill(postmaster.pid, "SIGINT");
  const deadline = Date.now() + stopTimeoutMs;
  while (Date.now() < deadline && isAlive(postmaster.pid) && findPostmaster(paths.data) !== null)
    await sleep(pollMs);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function tail(path: string): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-5).join("\n");
  } catch {
    return "(it is empty)";
  }
}

/** A server on a data folder, from its `postmaster.pid`. */
interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Whether it accepts connections. */
  readonly ready: boolean;
}

/**
 * The server that runs on a data folder, or null. Removes the pid file of a killed server if its process id
 * now belongs to another program, since PostgreSQL would refuse to start.
 */
export function findPostmaster(data: string): Postmaster | null {
  const path = join(data, "postmaster.pid");
  const content = readText(path);
  if (content === null) return null;
  const lines = content.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  if (!isPostgresOn(pid, data)) {
    removeStale(path, content);
    return null;
  }
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
}

/** Moves the file away first, and puts it back if another process has started a server in the meantime. */
function removeStale(path: string, content: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readText(aside) === content) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

/** Compares the command line, which every user can read. In doubt, the server counts as running. */
function isPostgresOn(pid: number, data: string): boolean {
  if (process.platform === "win32") return true;
  const args = process.platform === "linux" ? readCommand(pid) : askCommand(pid);
  if (args === null) return true;
  if (basename(args[0] ?? "") !== "postgres") return false;
  const folder = args[args.indexOf("-D") + 1] ?? data;
  return realPath(folder) === realPath(data);
}

function readCommand(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return isAlive(pid) ? null : [];
  }
}

/** Without /proc, arguments cannot be separated if a path has blanks, so only the program is compared. */
function askCommand(pid: number): string[] | null {
  const { stdout, status } = spawnSync("ps", ["-o", "comm=", "-p", String(pid)], { encoding: "utf8" });
  return status === 0 ? [stdout.trim()] : null;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
