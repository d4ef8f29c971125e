/** Why the database cannot be migrated, in words for the operator. The cause, if any, is PostgreSQL's own error. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

const requiredPrivileges =
  "the role of SERVICE_DATABASE_URL must own the tables, may use and create in their schema " +
  "(GRANT USAGE, CREATE ON SCHEMA … TO it), and may use all tables and sequences whose names begin with kirak_";

/**
 * What PostgreSQL refused, in words for the operator: what could not be done, why, and how things stand now. A
 * MigrationError has them already, but for the rights that are missing; errors of the connection are left as they are.
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

/** Reports the problem if the history cannot be read. */
export async function explainReadErrors<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw asMigrationError(error, "the migrations of this database cannot be read", "nothing was changed");
  }
}
