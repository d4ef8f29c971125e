/** How to handle an error of the store. */
export type FailureKind =
  /** Set the file aside. */
  | "damaged"
  /** Try again: another process locks the file. */
  | "busy"
  /** Retry with the next batch: permissions, disk full, missing folder, disk errors. */
  | "unusable"
  /** No SQLite for this platform. */
  | "no-binary"
  | "unexpected";

/** The file belongs to another program. */
export class ForeignFile extends Error {
  override readonly name = "ForeignFile";
}

/** A newer version of the service uses the file. */
export class NewerFile extends Error {
  override readonly name = "NewerFile";
}

const bySqlite: readonly (readonly [RegExp, FailureKind])[] = [
  [/^SQLITE_(CORRUPT|NOTADB|FORMAT)/, "damaged"],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, "busy"],
  [/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|PERM|NOLFS|NOMEM)/, "unusable"],
  [/^SQLITE_/, "unexpected"],
];

export function failureKind(error: unknown): FailureKind {
  if (error instanceof ForeignFile) return "damaged";
  if (error instanceof NewerFile) return "unusable";
  if (!(error instanceof Error)) return "unexpected";
  const code = codeOf(error);
  const [, kind] = bySqlite.find(([pattern]) => pattern.test(code)) ?? [];
  if (kind !== undefined) return kind;
  if (/^(ERR_DLOPEN_FAILED|(ERR_)?MODULE_NOT_FOUND)$/.test(code) || /bindings file/.test(error.message)) {
    return "no-binary";
  }
  return /^E[A-Z0-9]+$/.test(code) && "syscall" in error ? "unusable" : "unexpected";
}

/** Errors that `node:sqlite` only reports by number. */
const names: ReadonlyMap<number, string> = new Map([
  [1, "SQLITE_ERROR"],
  [3, "SQLITE_PERM"],
  [5, "SQLITE_BUSY"],
  [6, "SQLITE_LOCKED"],
  [7, "SQLITE_NOMEM"],
  [8, "SQLITE_READONLY"],
  [10, "SQLITE_IOERR"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [15, "SQLITE_PROTOCOL"],
  [22, "SQLITE_NOLFS"],
  [24, "SQLITE_FORMAT"],
  [26, "SQLITE_NOTADB"],
]);

/** Such as `SQLITE_FULL` or `ENOENT`; empty without a code. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "errcode" in error && typeof error.errcode === "number")
    return names.get(error.errcode & 0xff) ?? `SQLITE_${error.errcode}`;
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
