import type { Run } from "../apply/main-transaction.ts";
import { checksumOfContent } from "../history/migration-checksum.ts";
import { recordSqlProgress, type SqlPosition, type SqlProgress } from "../history/sql-progress.ts";
import { MigrationError } from "../migration-error.ts";
import type { Change, SqlChange } from "../plan/migration-change.ts";

type Done = Pick<SqlPosition, "texts" | "batches" | "highest">;

/** Checksum of the finished and running parts. Developers can still edit the other parts. */
export function checksumOfDone({ texts, batches }: SqlChange, done: Done): string {
  const begun = done.batches + (done.highest === null ? 0 : 1);
  return checksumOfContent([
    texts.slice(0, done.texts),
    batches.slice(0, begun).map(({ table, sql }) => [table, sql]),
  ]);
}

/** Throws a MigrationError if the finished parts were changed since they ran. */
export function requireSamePieces(sql: SqlChange, progress: SqlPosition & { readonly name: string }): void {
  if (progress.done === checksumOfDone(sql, progress)) return;
  throw new MigrationError(
    `${progress.name} is partly applied (${describeProgress(progress)}), and this part was changed since then; restore the file, or ` +
      "revert it: npm run migrate -- down",
  );
}

/** The progress of a migration, such as `1 text and 2000 rows done`. */
export function describeProgress({
  texts,
  rows,
  percent,
}: Pick<SqlProgress, "texts" | "rows" | "percent">): string {
  const part = percent === null ? "" : `, ${percent} % of a back-fill`;
  return `${texts} ${texts === 1 ? "text" : "texts"} and ${rows} rows done${part}`;
}

/** Records a position, with the checksum of the finished parts. */
export async function recordSqlPosition(
  { lock }: Run,
  { migration }: Change,
  sql: SqlChange,
  at: SqlPosition,
): Promise<SqlPosition> {
  const position = { ...at, done: checksumOfDone(sql, at) };
  if (!(await recordSqlProgress(lock.client, migration.name, position)))
    throw new MigrationError(`another instance continued ${migration.name}: migrate again`);
  return position;
}
