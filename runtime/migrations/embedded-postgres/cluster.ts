import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { SystemAccount } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedError } from "./embedded-error.ts";

export const user = "kirak";

/** The files of an embedded PostgreSQL. Paths are absolute. */
export interface ClusterPaths {
  /** The folder of the others: `var/kirak`. */
  readonly home: string;
  readonly data: string;
  readonly password: string;
  readonly log: string;
}

export function clusterPaths(home: string): ClusterPaths {
  return {
    home,
    data: join(home, "postgres"),
    password: join(home, "postgres.password"),
    log: join(home, "postgres.log"),
  };
}

/**
 * Creates the data folder if it does not exist. The folder is prepared under another name and then renamed,
 * so it is complete or absent. If two processes do this at the same time, the second one deletes its own.
 */
export async function ensureCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  account: SystemAccount,
): Promise<void> {
  requireOwnership(paths);
  if (!existsSync(join(paths.data, "PG_VERSION"))) await createCluster(paths, binaries, account);
  const version = readFileSync(join(paths.data, "PG_VERSION"), "utf8").trim();
  if (version === binaries.version) return;
  throw new EmbeddedError(
    `${paths.data} was created by PostgreSQL ${version}, and this is PostgreSQL ${binaries.version}: ` +
      "move the folder away to start with an empty database, or set SERVICE_DATABASE_URL",
  );
}

/** Throws an EmbeddedError if another user, such as root, owns files of an earlier run. */
function requireOwnership(paths: ClusterPaths): void {
  const uid = process.getuid?.();
  if (uid === undefined || uid === 0) return;
  for (const path of [paths.home, paths.data, paths.password]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid === uid) continue;
    throw new EmbeddedError(
      `${path} belongs to another user (${found.uid}): change the owner of ${paths.home} and its content, remove it to ` +
        "start with an empty database, or set SERVICE_DATABASE_URL",
    );
  }
}

/** The password of the only user. It is created once. */
export function ensurePassword(paths: ClusterPaths): string {
  if (!existsSync(paths.password)) {
    const draft = `${paths.password}.${process.pid}`;
    writeFileSync(draft, randomBytes(24).toString("base64url"), { mode: 0o600 });
    try {
      linkSync(draft, paths.password);
    } catch (error) {
      if (!existsSync(paths.password)) throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(paths.password, "utf8").trim();
}

async function createCluster(paths: ClusterPaths, binaries: Binaries, account: SystemAccount): Promise<void> {
  removeAbandoned(paths);
  const draft = mkdtempSync(join(paths.home, `postgres.draft-${process.pid}-`));
  const secret = join(draft, "password");
  const data = join(draft, "data");
  try {
    chmodSync(draft, 0o700);
    writeFileSync(secret, ensurePassword(paths), { mode: 0o600 });
    mkdirSync(data, { mode: 0o700 });
    for (const path of [secret, data, draft]) account.chown(path);
    await initialise(binaries, account, data, secret);
    renameSync(data, paths.data);
  } catch (error) {
    // Another process was faster. Its folder is used.
    if (!existsSync(join(paths.data, "PG_VERSION"))) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The built-in locale supports the letters of all languages and is the same on every platform. */
function initialise(binaries: Binaries, account: SystemAccount, data: string, secret: string): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    `--username=${user}`,
    `--pwfile=${secret}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  return new Promise((resolve, reject) => {
    const child = account.spawn(binaries.initdb, args, ["ignore", "ignore", "pipe"]);
    let output = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const fail = (reason: string) =>
      reject(
        new EmbeddedError(
          `the embedded PostgreSQL cannot be set up: ${reason}\nset SERVICE_DATABASE_URL to use another one`,
        ),
      );
    child.on("error", (error) => fail(error.message));
    child.on("close", (code) =>
      code === 0 ? resolve() : fail(output.trim() || `initdb ended with ${code}`),
    );
  });
}

/** Removes drafts of killed processes. */
function removeAbandoned(paths: ClusterPaths): void {
  for (const name of readdirSync(paths.home)) {
    const pid = /^postgres\.draft-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(paths.home, name), { recursive: true, force: true });
  }
}

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
