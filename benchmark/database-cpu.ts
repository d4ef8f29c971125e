import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** Tells the CPU time of a PostgreSQL server so far, of all its processes, in microseconds. */
export type DatabaseCpu = () => number;

/** That of the server behind a URL, which runs on this machine. Not a number where there is no /proc. */
export async function databaseCpu(url: string): Promise<DatabaseCpu> {
  const postmaster = await postmasterOf(url);
  /** By process: one that has ended took what it took. */
  const seen = new Map<number, number>();
  return () => {
    for (const pid of familyOf(postmaster)) seen.set(pid, cpuOf(pid) ?? seen.get(pid) ?? 0);
    return seen.size === 0 ? Number.NaN : [...seen.values()].reduce((sum, each) => sum + each, 0);
  };
}

/** The first process of a server, of which all others are children. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query("select current_setting('data_directory') as folder");
  await client.end();
  return Number.parseInt(readFileSync(join(rows[0].folder, "postmaster.pid"), "utf8"), 10);
}

function familyOf(parent: number): number[] {
  try {
    const all = readdirSync("/proc").map(Number).filter(Number.isInteger);
    return all.filter((pid) => pid === parent || parentOf(pid) === parent);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

/** Each of them has one thread. */
function cpuOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1000;
  } catch {
    return null;
  }
}
