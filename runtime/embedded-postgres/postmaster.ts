import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { isAlive } from "./cluster.ts";

/** A server on a data folder, as its `postmaster.pid` describes it. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Whether it takes connections. */
  readonly ready: boolean;
}

/**
 * The server that runs on a data folder, or null. A pid file that a killed server left behind is removed when its number
 * belongs to another program by now; PostgreSQL itself would refuse to start, since to it the number is alive.
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

/** Moves the file away first: should another process have started a server meanwhile, its file is put back. */
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

/** The command line is the one thing that everybody may ask of a process; when in doubt the server counts as running. */
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

/** Without /proc the arguments cannot be told apart where a path has blanks: only the program is compared then. */
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
