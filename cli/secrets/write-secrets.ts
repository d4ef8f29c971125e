import {
  chmodSync,
  chownSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseEnvFile } from "#runtime/core/config/index";
import { CommandError } from "#runtime/process/index";
import { type SecretName, secretLines, secretNames } from "./secret-lines.ts";

/** What became of the `.env` of an app. */
export interface SecretsWritten {
  /** Whether there was none before. */
  readonly made: boolean;
  /** What it lacked, and has now. */
  readonly added: readonly SecretName[];
  /** What is there without a value, and was left so: an empty value may be meant. */
  readonly empty: readonly SecretName[];
  /** Whether others on the machine can read it. */
  readonly open: boolean;
}

interface Present {
  readonly stats: Stats;
  readonly bytes: Buffer;
}

/**
 * Adds the secrets that the `.env` of an app lacks, all or none; where there is no such file it is made, only for its owner. What is
 * there stays as it is, and so do the file's owner and mode. Throws a CommandError where it cannot be done.
 */
export function writeSecrets(root: string): SecretsWritten {
  const path = join(root, ".env");
  const present = presentAt(path);
  const known = parseEnvFile(present?.bytes.toString("utf8") ?? "");
  const added = secretNames.filter((name) => !Object.hasOwn(known, name));
  if (added.length > 0) replace(path, present, withLines(present, secretLines(added)));
  return {
    made: present === null,
    added,
    empty: secretNames.filter((name) => known[name] === ""),
    open: present !== null && process.platform !== "win32" && (present.stats.mode & 0o077) !== 0,
  };
}

function presentAt(path: string): Present | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile())
    throw new CommandError(`.env is ${kindOf(stats)}, and only a file is written to; ${byHand}`);
  const bytes = readFile(path);
  if (bytes.includes(0)) throw new CommandError(`.env is not UTF-8 text: save it as UTF-8`);
  return { stats, bytes };
}

const byHand = "`npm run --silent secrets` prints the lines for you to copy";

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link";
  return stats.isDirectory() ? "a folder" : "not a regular file";
}

function readFile(path: string): Buffer {
  try {
    // Opened for reading and writing: a user who made the file read-only wants it unchanged.
    return readFileSync(path, { flag: "r+" });
  } catch (error) {
    throw new CommandError(`.env cannot be read and written by this user (${reasonOf(error)})`);
  }
}

function withLines(present: Present | null, lines: string): Buffer {
  const before = present?.bytes ?? Buffer.alloc(0);
  if (before.length === 0) return Buffer.from(lines);
  const gap = before.at(-1) === 0x0a ? "\n" : "\n\n";
  return Buffer.concat([before, Buffer.from(`${gap}${lines}`)]);
}

/** By a file next to it, which no one else can read while it is written. */
function replace(path: string, present: Present | null, bytes: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o600, flush: true });
    if (present !== null) likeBefore(temporary, present.stats);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CommandError(`.env cannot be written (${reasonOf(error)}); nothing was changed; ${byHand}`);
  }
}

function likeBefore(temporary: string, { uid, gid, mode }: Stats): void {
  const made = statSync(temporary);
  if (made.uid !== uid || made.gid !== gid) chownSync(temporary, uid, gid);
  chmodSync(temporary, mode & 0o777);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Text for the user: names, and never a value. */
export function writtenText({ made, added, empty, open }: SecretsWritten): string {
  const names = added.join(", ");
  return [
    made
      ? `created .env with ${names}`
      : added.length > 0
        ? `added to .env: ${names}`
        : ".env has every secret: nothing was added",
    ...(empty.length > 0 ? [`still without a value: ${empty.join(", ")}`] : []),
    ...(open ? ["other users of this machine can read .env: run `chmod 600 .env`"] : []),
    "",
  ].join("\n");
}
