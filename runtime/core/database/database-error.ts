import pg from "pg";
import type { ValuePlace } from "../errors/index.ts";

/** There is no connection to the database, or it was lost. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** The database did not answer in time, or no connection became free in time. A later attempt can succeed. */
export class NoAnswerError extends ConnectionError {
  override readonly name: string = "NoAnswerError";

  constructor(message: string) {
    super(new Error(message));
  }
}

/** The database did not answer during a write or a commit, which may have taken effect. */
export class LostAnswerError extends NoAnswerError {
  override readonly name = "LostAnswerError";

  /** Turns the failure of a write into this error if the database was silent; else returns the error itself. */
  static of(error: unknown): unknown {
    return error instanceof NoAnswerError ? new LostAnswerError(error.message) : error;
  }
}

/**
 * Too many callers wait. One shared error: a rejection must be cheap under load, and a stack costs more than
 * the rest of it.
 */
export const tooManyWaiting = new NoAnswerError("too many wait for a database connection");

// The stack would only show where this file was loaded.
for (const error of [tooManyWaiting, tooManyWaiting.cause]) if (error instanceof Error) delete error.stack;

/** The error of calls after the connections were closed. */
export function closedError(): ConnectionError {
  return new ConnectionError(new Error("the database connections are closed"));
}

/**
 * What PostgreSQL objected to, as far as a caller may know it. `lost_answer`: it did not answer a write in
 * time. Names are those of the database.
 */
export interface DatabaseFailure {
  readonly kind:
    | "unique"
    | "excluded"
    | "foreign_key"
    | "referenced"
    | "not_null"
    | "check"
    | "invalid_value"
    | "refused"
    | "unsupported"
    | "too_many"
    | "no_answer"
    | "lost_answer"
    | "other";
  readonly constraint?: string;
  readonly column?: string;
  /** Columns of a foreign key that references no row. */
  readonly columns?: readonly string[];
  readonly table?: string;
}

const kinds: Readonly<Record<string, DatabaseFailure["kind"]>> = {
  "23001": "referenced",
  "23502": "not_null",
  "23503": "foreign_key",
  "23505": "unique",
  "23514": "check",
  "23P01": "excluded",
  // A value exceeds a limit of the server, most often an indexed text of more than 2,700 bytes.
  "54000": "invalid_value",
  P0001: "refused",
};

/**
 * Errors that the data causes if a function or trigger raised them, and that Kirak causes if its own
 * statement did.
 */
const codesInFunctions = new Set(["42601", "0A000"]);

/**
 * Settings that do not exist. A statement reads one of them, named after a field, if the field references a
 * row that was added after the statement began. In plain SQL this is how to raise an error with a name in it.
 */
export const unseenSetting = "kirak.unseen.";

/**
 * The same for a value that the API does not support. The name is followed by model, field and id of the row.
 */
export const unsupportedSetting = "kirak.unheld.";

/** The place of a value that the API does not support, which one of our statements found. */
export function unsupportedPlace(error: unknown): ValuePlace | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== "42704") return null;
  const [, model, field, id] = /kirak\.unheld\.(\w+)\.(\w+)\.([\w-]+)/.exec(error.message) ?? [];
  return model === undefined || field === undefined
    ? null
    : { model, field, ...(id !== undefined && { id }) };
}

/**
 * Classifies an error of a statement. `other` includes all errors that the values did not cause, such as lost
 * connections. Null for errors that are not from the database.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure | null {
  if (error === tooManyWaiting) return { kind: "too_many" };
  if (error instanceof LostAnswerError) return { kind: "lost_answer" };
  if (error instanceof NoAnswerError) return { kind: "no_answer" };
  if (error instanceof ConnectionError) return { kind: "other" };
  if (!(error instanceof pg.DatabaseError)) return null;
  const { code = "", constraint, column, table } = error;
  const unseen = unseenField(error);
  if (unseen !== undefined) return { kind: "foreign_key", column: unseen };
  return {
    kind: kindOf(error),
    ...(constraint !== undefined && { constraint }),
    ...(column !== undefined && { column }),
    ...(code === "23503" && { columns: keyColumns(error) }),
    ...(table !== undefined && { table }),
  };
}

function kindOf(error: pg.DatabaseError): DatabaseFailure["kind"] {
  const { code = "" } = error;
  if (code === "23503" && isReferredTo(error)) return "referenced";
  if (code === "0A000" && isStale(error)) return "other";
  if (codesInFunctions.has(code) && isRaisedInside(error)) return "refused";
  if (code === "0A000") return "unsupported";
  return kinds[code] ?? (/^2[23]/.test(code) ? "invalid_value" : "other");
}

/**
 * The message is in the language of the server. It quotes the table and the constraint, and the other table
 * if that one references this row.
 */
function isReferredTo({ message, table = "", constraint = "" }: pg.DatabaseError): boolean {
  const marks =
    message
      .replace(constraint, "")
      .replace(table, "")
      .match(/["\p{Pi}\p{Pf}]/gu) ?? [];
  return marks.length > 4;
}

/** The detail is in the language of the server, except for `(a, b)=(1, 2)`. */
function keyColumns({ detail = "" }: pg.DatabaseError): string[] {
  return /\((.*?)\)=\(/.exec(detail)?.[1]?.split(", ") ?? [];
}

/**
 * Whether a function or trigger raised the error. A server that logs parameters adds them to the end of the
 * context.
 */
function isRaisedInside({ where = "" }: pg.DatabaseError): boolean {
  return where.replace(/^.*\$1 = [\s\S]*/m, "").trim() !== "";
}

/** The message is in the language of the server; the name of the setting is not. */
function unseenField({ code, message }: pg.DatabaseError): string | undefined {
  const at = code === "42704" ? message.indexOf(unseenSetting) : -1;
  return at < 0 ? undefined : /^\w+/.exec(message.slice(at + unseenSetting.length))?.[0];
}

/** Serialization failure, deadlock, or a statement that must be prepared again: another attempt can succeed. */
export function isTransient(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01" || isStale(error))
  );
}

/**
 * Whether the server no longer has the prepared statement: after a migration, or behind a connection pooler.
 */
export function isStale(error: pg.DatabaseError): boolean {
  if (error.code === "0A000") return error.routine === "RevalidateCachedQuery";
  return isLost(error);
}

/** Whether the server process is a different one than the one that prepared the statement. */
export function isLost(error: pg.DatabaseError): boolean {
  return error.code === "26000" || error.code === "42P05";
}
