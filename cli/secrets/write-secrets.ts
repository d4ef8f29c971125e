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

/** The change of the app's `.env`. */
export interface SecretsWritten {
  /** Whether the file was created. */
  readonly created: boolean;
  /** Secrets that were added. */
  readonly added: readonly SecretName[];
  /** Secrets with an empty value, which stay: the value can be empty on purpose. */
  readonly empty: readonly SecretName[];
  /** Whether other users of the machine can read it. */
  readonly readableByOthers: boolean;
}

interface ExistingFile {
  readonly stats: Stats;
  readonly bytes: Buffer;
}

/**
 * Adds missing secrets to the `.env` of an app, all or none. Creates the file readable only by its owner.
 * Existing lines, the owner and the mode stay. Throws a CommandError on failure.
 */
export function writeSecrets(root: string): SecretsWritten {
  const path = join(root, ".env");
  const existing = existingAt(path);
  const known = parseEnvFile(existing?.bytes.toString("utf8") ?? "");
  const added = secretNames.filter((name) => !Object.hasOwn(known, name));
  if (added.length > 0) replace(path, existing, withLines(existing, secretLines(added)));
  return {
    created: existing === null,
    added,
    empty: secretNames.filter((name) => known[name] === ""),
    readableByOthers:
      existing !== null && process.platform !== "win32" && (existing.stats.mode & 0o077) !== 0,
  };
}

function existingAt(path: string): ExistingFile | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isFile())
    throw new CommandError(`.env is ${kindOf(stats)}, and kirak writes only to regular files; ${manualHint}`);
  const bytes = readFile(path);
  if (bytes.includes(0)) throw new CommandError(`.env is not UTF-8 text: save it as UTF-8`);
  return { stats, bytes };
}

const manualHint = "`npm run --silent secrets` prints the lines for you to copy";

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

function withLines(existing: ExistingFile | null, lines: string): Buffer {
  const before = existing?.bytes ?? Buffer.alloc(0);
  if (before.length === 0) return Buffer.from(lines);
  const gap = before.at(-1) === 0x0a ? "\n" : "\n\n";
  return Buffer.concat([before, Buffer.from(`${gap}${lines}`)]);
}

/** Writes through a temporary file that no other user can read. */
function replace(path: string, existing: ExistingFile | null, bytes: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o600, flush: true });
    if (existing !== null) copyOwnerAndMode(temporary, existing.stats);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CommandError(`.env cannot be written (${reasonOf(error)}); nothing was changed; ${manualHint}`);
  }
}

function copyOwnerAndMode(temporary: string, { uid, gid, mode }: Stats): void {
  const written = statSync(temporary);
  if (written.uid !== uid || written.gid !== gid) chownSync(temporary, uid, gid);
  chmodSync(temporary, mode & 0o777);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Text for the user: names, and never a value. */
export function writtenText({ created, added, empty, readableByOthers }: SecretsWritten): string {
  const names = added.join(", ");
  return [
    created
      ? `created .env with ${names}`
      : added.length > 0
        ? `added to .env: ${names}`
        : ".env has every secret: nothing was added",
    ...(empty.length > 0 ? [`still without a value: ${empty.join(", ")}`] : []),
    ...(readableByOthers ? ["other users of this machine can read .env: run `chmod 600 .env`"] : []),
    "",
  ].join("\n");
}
