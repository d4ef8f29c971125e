/** Why the database cannot be migrated, in words for the operator. The cause, if any, is PostgreSQL's own error. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
