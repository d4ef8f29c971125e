import { sqlContent } from "../../vocabulary/sql-migration.ts";
import { type OwnMigration, readOwnMigrations } from "../load/read-own-migration.ts";
import { migrationAt } from "../output/output-paths.ts";
import { type BaseFiles, fileAt } from "./git-base.ts";

/**
 * Files of own SQL that say something else than at a commit which has them in its chain: their links are the same, and databases
 * that have them refuse the code.
 */
export async function editedSince(
  { commit, migrations }: BaseFiles,
  root: string,
  own: readonly OwnMigration[],
): Promise<string[]> {
  const there = new Set(migrations.map((file) => migrationAt(`migrations/${file}`)));
  const shared = own.filter(({ name }) => there.has(name));
  const texts = await Promise.all(shared.map(({ file }) => fileAt(root, commit, file)));
  const former = readOwnMigrations(
    shared.flatMap(({ file }, index) => {
      const text = texts[index] ?? null;
      return text === null ? [] : [{ file, text, problem: null, invalid: null }];
    }),
  );
  const before = new Map(former.map((migration) => [migration.file, contentOf(migration)]));
  return shared
    .filter((migration) => before.has(migration.file) && before.get(migration.file) !== contentOf(migration))
    .map(({ file }) => file);
}

/** Null where it cannot be read. */
function contentOf({ sql }: OwnMigration): string | null {
  return sql === null ? null : JSON.stringify(sqlContent(sql));
}
