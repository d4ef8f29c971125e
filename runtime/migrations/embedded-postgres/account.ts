import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { chownSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { EmbeddedError } from "./embedded-error.ts";

const nobody = 65_534;

/**
 * The account that runs PostgreSQL: the current user, or an account without privileges if that is root,
 * because PostgreSQL refuses to run as root.
 */
export interface SystemAccount {
  spawn(program: string, args: readonly string[], stdio: StdioOptions): ChildProcess;
  /** Makes the account the owner of a file or folder. */
  chown(path: string): void;
}

/** Chooses the account for a data folder, which need not exist yet, and for the folder of the programs. */
export function chooseSystemAccount(data: string, programs: string): SystemAccount {
  if (process.getuid?.() !== 0) {
    return { spawn: (program, args, stdio) => spawn(program, args, options(stdio)), chown() {} };
  }
  const ids = ownerOf(data);
  const chown = (path: string) => chownSync(path, ids.uid, ids.gid);
  if ([dirname(data), programs].every((path) => isReachable(path, ids))) {
    return { chown, spawn: (program, args, stdio) => spawn(program, args, { ...options(stdio), ...ids }) };
  }
  const prefix = setprivArguments(ids);
  return {
    chown,
    spawn: (program, args, stdio) => spawn("setpriv", [...prefix, program, ...args], options(stdio)),
  };
}

/** A separate process group: Ctrl-C must not reach it. Its environment holds no secrets of the service. */
function options(stdio: StdioOptions) {
  const env =
    process.platform === "win32" ? process.env : { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
  return { stdio, env, cwd: process.platform === "win32" ? process.cwd() : "/", detached: true };
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/** The owner of the nearest existing folder. If that is root: the user nobody. */
function ownerOf(path: string): Ids {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return ownerOf(dirname(path));
  return found.uid === 0 ? { uid: nobody, gid: nobody } : { uid: found.uid, gid: found.gid };
}

/** Whether the account can enter every folder of a path. */
function isReachable(path: string, ids: Ids): boolean {
  const { mode, uid, gid } = statSync(path);
  const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return dirname(path) === path || isReachable(dirname(path), ids);
}

/**
 * For a project in a closed folder such as /root: PostgreSQL only refuses user id 0, so it gets another id
 * and keeps the capability to enter folders. Without the secure bit, access(2) would ignore the capability.
 */
function setprivArguments({ uid, gid }: Ids): string[] {
  const prefix = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    "--securebits=+no_setuid_fixup",
  ];
  const probe = spawnSync("setpriv", [...prefix, "true"], { stdio: "ignore" });
  if (probe.status === 0) return prefix;
  throw new EmbeddedError(
    "PostgreSQL does not run as root, and an ordinary user cannot reach this folder: " +
      "move the project to a folder that other users can enter, or set SERVICE_DATABASE_URL",
  );
}
