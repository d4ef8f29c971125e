import pg from "pg";
import type { ValuePlace } from "../errors/index.ts";

/** No connection to the database, or none any more. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * The database said nothing in time, or no connection came free in time (decisions, part 1): who asks again later may be
 * luckier.
 */
export class NoAnswerError extends ConnectionError {
  override readonly name: string = "NoAnswerError";

  constructor(message: string) {
    super(new Error(message));
  }
}

/** The database was silent when a write, or a commit, was under way: it may have been carried out. */
export class LostAnswerError extends NoAnswerError {
  override readonly name = "LostAnswerError";

  /** What a failure of such a statement is: this where the database was silent, else the error itself. */
  static of(error: unknown): unknown {
    return error instanceof NoAnswerError ? new LostAnswerError(error.message) : error;
  }
}

/**
 * Too many wait already. One for all: whoever is refused while there is much to do must cost little, and a stack costs more than
 * the rest of a refusal.
 */
export const tooManyWait = new NoAnswerError("too many wait for a database connection");

// Where this file was loaded tells nobody anything.
for (const error of [tooManyWait, tooManyWait.cause]) if (error instanceof Error) delete error.stack;

/** What comes after the connections were closed. */
export function closedError(): ConnectionError {
  return new ConnectionError(new Error("the database connections are closed"));
}

/**
 * What PostgreSQL objected to, as far as a caller may be told (decisions, part 5), that it said nothing in time, to a write too
 * (`lost_answer`), or that too many wait for it. Names are the database's.
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
  /** Columns of a foreign key that leads to no row. */
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
  // A limit of the server that a value exceeds: most often an indexed text of more than 2,700 bytes.
  "54000": "invalid_value",
  P0001: "refused",
};

/** Errors that are the data's fault where a function or trigger raised them, and Kirak's where one of its own statements did. */
const codesInFunctions = new Set(["42601", "0A000"]);

/**
 * Settings that there are not. A statement asks for one of them, by the name of a field, where that leads to a row that came to be
 * after the statement began: that is how SQL alone raises an error with a name in it.
 */
export const unseenSetting = "kirak.unseen.";

/** The same, for a value that the API does not hold: behind it stand model, field and id of the row. */
export const unheldSetting = "kirak.unheld.";

/** The place of a value that the API does not hold, which a statement of ours met. */
export function unheldPlace(error: unknown): ValuePlace | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== "42704") return null;
  const [, model, field, id] = /kirak\.unheld\.(\w+)\.(\w+)\.([\w-]+)/.exec(error.message) ?? [];
  return model === undefined || field === undefined
    ? null
    : { model, field, ...(id !== undefined && { id }) };
}

/**
 * Classifies an error of a statement. What the values are not to blame for is `other`, lost connections included; null
 * for what does not come from the database at all.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure | null {
  if (error === tooManyWait) return { kind: "too_many" };
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

/** The text is in the server's language. It quotes the table and the constraint; where another row refers to this one, that table too. */
function isReferredTo({ message, table = "", constraint = "" }: pg.DatabaseError): boolean {
  const marks =
    message
      .replace(constraint, "")
      .replace(table, "")
      .match(/["\p{Pi}\p{Pf}]/gu) ?? [];
  return marks.length > 4;
}

/** The detail is in the server's language, but for `(a, b)=(1, 2)`. */
function keyColumns({ detail = "" }: pg.DatabaseError): string[] {
  return /\((.*?)\)=\(/.exec(detail)?.[1]?.split(", ") ?? [];
}

/** Whether a function or trigger raised the error. A server that logs parameters puts those into the context as well, at its end. */
function isRaisedInside({ where = "" }: pg.DatabaseError): boolean {
  return where.replace(/^.*\$1 = [\s\S]*/m, "").trim() !== "";
}

/** The message is in the server's language; the name of the setting is not. */
function unseenField({ code, message }: pg.DatabaseError): string | undefined {
  const at = code === "42704" ? message.indexOf(unseenSetting) : -1;
  return at < 0 ? undefined : /^\w+/.exec(message.slice(at + unseenSetting.length))?.[0];
}

/** Serialization failure, deadlock, or a statement that must be prepared anew: another attempt may succeed. */
export function isTransient(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01" || isStale(error))
  );
}

/** Whether the server no longer has the statement as it was prepared: after a migration, or behind a connection pooler. */
export function isStale(error: pg.DatabaseError): boolean {
  if (error.code === "0A000") return error.routine === "RevalidateCachedQuery";
  return isLost(error);
}

/** Whether the server process at the other end is not the one that was asked to prepare the statement. */
export function isLost(error: pg.DatabaseError): boolean {
  return error.code === "26000" || error.code === "42P05";
}
