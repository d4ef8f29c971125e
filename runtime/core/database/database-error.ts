import pg from "pg";
import type { ValuePlace } from "../errors/index.ts";

/** No connection to the database, or the connection was lost. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * The database did not respond in time, or no connection became free in time. A later attempt can succeed.
 */
export class NoResponseError extends ConnectionError {
  override readonly name: string = "NoResponseError";

  constructor(message: string) {
    super(new Error(message));
  }
}

/** The response to a write or a commit was lost. The database can have executed it. */
export class LostResponseError extends ConnectionError {
  override readonly name = "LostResponseError";

  /** The error of a write that was sent: a ConnectionError becomes a LostResponseError. */
  static of(error: unknown): unknown {
    return error instanceof ConnectionError ? new LostResponseError(error) : error;
  }
}

/** One shared error, because a rejection must be cheap under load, and a stack is most of its cost. */
export const tooManyWaiting = new NoResponseError("too many calls wait for a database connection");

// The stack would only show where this file was loaded.
for (const error of [tooManyWaiting, tooManyWaiting.cause]) if (error instanceof Error) delete error.stack;

/** For calls after `close()`. */
export function closedError(): ConnectionError {
  return new ConnectionError(new Error("the database connections are closed"));
}

/**
 * Why a statement failed, as far as callers may know it, with names of the database. `lost_answer`: a write
 * can have been executed.
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
  /** The field of a foreign key whose row was added after the statement began. */
  readonly field?: string;
  /** Columns of the foreign key that references no row, or of the unique key that is taken. */
  readonly columns?: readonly string[];
  readonly table?: string;
  readonly schema?: string;
  /** What a function or trigger says with RAISE EXCEPTION. */
  readonly raised?: string;
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
 * Codes that are errors of the app if its function or trigger raised them. Otherwise they are errors of
 * Kirak.
 */
const codesInFunctions = new Set(["42601", "0A000"]);

/**
 * Prefix of settings that do not exist. In plain SQL, reading such a setting raises an error with its name.
 * Here it names a field whose row was added after the statement began.
 */
export const unseenSetting = "kirak.unseen.";

/**
 * Prefix of settings that report a value that the API does not support. Model, field and id of the row
 * follow.
 */
export const unsupportedSetting = "kirak.unheld.";

/** The place of an unsupported value that a statement reported by its setting; null for other errors. */
export function unsupportedPlace(error: unknown): ValuePlace | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== "42704") return null;
  const [, model, field, id] = /kirak\.unheld\.(\w+)\.(\w+)\.([\w-]+)/.exec(error.message) ?? [];
  return model === undefined || field === undefined
    ? null
    : { model, field, ...(id !== undefined && { id }) };
}

/**
 * Classifies an error of a statement. `other`: the values did not cause it. Null: it is not from the
 * database.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure | null {
  if (error === tooManyWaiting) return { kind: "too_many" };
  if (error instanceof LostResponseError) return { kind: "lost_answer" };
  if (error instanceof NoResponseError) return { kind: "no_answer" };
  if (error instanceof ConnectionError) return { kind: "other" };
  if (!(error instanceof pg.DatabaseError)) return null;
  const { code = "", constraint, column, schema, table } = error;
  const unseen = unseenField(error);
  if (unseen !== undefined) return { kind: "foreign_key", field: unseen };
  return {
    kind: kindOf(error),
    ...(constraint !== undefined && { constraint }),
    ...(column !== undefined && { column }),
    ...((code === "23503" || code === "23505") && { columns: keyColumns(error) }),
    ...(table !== undefined && { table }),
    ...(schema !== undefined && { schema }),
    ...(code === "P0001" && { raised: error.message }),
  };
}

function kindOf(error: pg.DatabaseError): DatabaseFailure["kind"] {
  const { code = "" } = error;
  if (code === "23503" && isReferredTo(error)) return "referenced";
  if (code === "0A000" && isStale(error)) return "other";
  // The extension `ltree` reports invalid text as a syntax error.
  if (code === "42601" && /^ltree/.test(error.message)) return "invalid_value";
  if (codesInFunctions.has(code) && isRaisedInside(error)) return "refused";
  if (code === "0A000") return "unsupported";
  return kinds[code] ?? (/^2[23]/.test(code) ? "invalid_value" : "other");
}

/**
 * Whether rows of another table reference this row. The message is in any language, so its quotation marks
 * are counted: it quotes the table and the constraint, and here the other table too.
 */
function isReferredTo({ message, table = "", constraint = "" }: pg.DatabaseError): boolean {
  const marks =
    message
      .replace(constraint, "")
      .replace(table, "")
      .match(/["\p{Pi}\p{Pf}]/gu) ?? [];
  return marks.length > 4;
}

/** The detail is in any language, except for `(a, b)=(1, 2)`. An index quotes its names, a foreign key does not. */
function keyColumns({ code, detail = "" }: pg.DatabaseError): string[] {
  const names = /\((.*?)\)=\(/.exec(detail)?.[1]?.split(", ") ?? [];
  return code === "23503" ? names : names.map(unquoted);
}

function unquoted(name: string): string {
  return /^"(.*)"$/.exec(name)?.[1]?.replaceAll('""', '"') ?? name;
}

/**
 * Whether a function or trigger raised the error. A server that logs parameters appends them to the context.
 */
function isRaisedInside({ where = "" }: pg.DatabaseError): boolean {
  return where.replace(/^.*\$1 = [\s\S]*/m, "").trim() !== "";
}

/** The message is in any language, but has the name of the setting. */
function unseenField({ code, message }: pg.DatabaseError): string | undefined {
  const at = code === "42704" ? message.indexOf(unseenSetting) : -1;
  return at < 0 ? undefined : /^\w+/.exec(message.slice(at + unseenSetting.length))?.[0];
}

/**
 * Whether another attempt can succeed: after a serialization failure, a deadlock, or a stale prepared
 * statement.
 */
export function isTransient(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01" || isStale(error))
  );
}

/** Whether the prepared statement is no longer valid, after a migration or behind a pooler. */
export function isStale(error: pg.DatabaseError): boolean {
  if (error.code === "0A000") return error.routine === "RevalidateCachedQuery";
  return isLost(error);
}

/** Whether a pooler uses another server process than the one that prepared the statement. */
export function isLost(error: pg.DatabaseError): boolean {
  return error.code === "26000" || error.code === "42P05";
}
