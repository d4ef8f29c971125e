import type { Run } from "../apply/main-transaction.ts";
import { checksumOfContent } from "../history/migration-checksum.ts";
import { recordSqlProgress, type SqlPosition, type SqlProgress } from "../history/sql-progress.ts";
import { MigrationError } from "../migration-error.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";

type Done = Pick<SqlPosition, "texts" | "batches" | "highest">;

/** Checksum of the pieces that are done or under way: the others may still be corrected. */
export function checksumOfDone({ texts, batches }: SqlChange, done: Done): string {
  const begun = done.batches + (done.highest === null ? 0 : 1);
  return checksumOfContent([
    texts.slice(0, done.texts),
    batches.slice(0, begun).map(({ table, sql }) => [table, sql]),
  ]);
}

/** Throws a MigrationError where what is done was done by another text than the one that stands there now. */
export function requireSamePieces(sql: SqlChange, progress: SqlPosition & { readonly name: string }): void {
  if (progress.done === checksumOfDone(sql, progress)) return;
  throw new MigrationError(
    `${progress.name} is half-way (${describeProgress(progress)}), and what is done of it was altered since; restore the file, or ` +
      "take back what is done: npm run migrate -- down",
  );
}

/** How far a migration is, such as `1 text and 2000 rows done`. */
export function describeProgress({
  texts,
  rows,
  percent,
}: Pick<SqlProgress, "texts" | "rows" | "percent">): string {
  const part = percent === null ? "" : `, ${percent} % of a back-fill`;
  return `${texts} ${texts === 1 ? "text" : "texts"} and ${rows} rows done${part}`;
}

/** Notes a position, with the checksum of what is done by then. */
export async function recordSqlPosition(
  { lock }: Run,
  { migration }: Change,
  sql: SqlChange,
  at: SqlPosition,
): Promise<SqlPosition> {
  const position = { ...at, done: checksumOfDone(sql, at) };
  if (!(await recordSqlProgress(lock.client, migration.name, position)))
    throw new MigrationError(`${migration.name} was taken over by another instance: start again`);
  return position;
}
