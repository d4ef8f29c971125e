import pg from "pg";
import { ConnectionError, NoAnswerError, tooManyWait } from "./connection-error.ts";

/**
 * What PostgreSQL objected to, as far as a caller may be told (decisions, part 5), that it said nothing in time, or that too
 * many wait for it. Names are the database's.
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
    | "too_many"
    | "no_answer"
    | "other";
  readonly constraint?: string;
  readonly column?: string;
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
};

/**
 * Settings that there are not. A statement asks for one of them, by the name of a field, where that leads to a row that came to be
 * after the statement began: that is how SQL alone raises an error with a name in it.
 */
export const unseenSetting = "kirak.unseen.";

/**
 * Classifies an error of a statement. What the values are not to blame for is `other`, lost connections included; null
 * for what does not come from the database at all.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure | null {
  if (error === tooManyWait) return { kind: "too_many" };
  if (error instanceof NoAnswerError) return { kind: "no_answer" };
  if (error instanceof ConnectionError) return { kind: "other" };
  if (!(error instanceof pg.DatabaseError)) return null;
  const { code = "", constraint, column, table } = error;
  const unseen = unseenField(error);
  if (unseen !== undefined) return { kind: "foreign_key", column: unseen };
  return {
    kind: kinds[code] ?? (/^2[23]/.test(code) ? "invalid_value" : "other"),
    ...(constraint !== undefined && { constraint }),
    ...(column !== undefined && { column }),
    ...(table !== undefined && { table }),
  };
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
