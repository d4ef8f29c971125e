/** Why the database cannot be migrated, for the operator. `cause` is PostgreSQL's error, if there is one. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

const requiredPrivileges =
  "the role of SERVICE_DATABASE_URL must own the tables, needs USAGE and CREATE on their schema " +
  "(GRANT USAGE, CREATE ON SCHEMA … TO …), and must be able to use all tables and sequences whose names begin with kirak_";

/**
 * Turns an error of PostgreSQL into a message for the operator: what failed, why, and the resulting state. A
 * MigrationError only gets a hint about missing privileges. Errors of the connection stay as they are.
 */
export function asMigrationError(error: unknown, what: string, outcome: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof MigrationError)
    return isDenied(error.cause) && !error.message.includes("GRANT")
      ? new MigrationError(`${error.message}; ${requiredPrivileges}`, { cause: error.cause })
      : error;
  if (!("severity" in error) || error.severity === "FATAL") return error;
  const hint = isDenied(error) ? `; ${requiredPrivileges}` : "";
  return new MigrationError(`${what}: ${error.message}; ${outcome}${hint}`, { cause: error });
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "42501";
}

/** Explains errors of reading the history. */
export async function explainReadErrors<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw asMigrationError(error, "the migrations of this database cannot be read", "nothing was changed");
  }
}
