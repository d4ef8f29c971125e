import { basename } from "node:path";
import { sqlTexts } from "../../vocabulary/sql-migration.ts";
import { sqlProblems } from "../../vocabulary/sql-problems.ts";
import type { OwnMigration } from "../load/read-own-migration.ts";
import type { CheckContext } from "./check-context.ts";

const wanted =
  "files of this folder are migrations, called by a number and what they do, such as 0007_add_trigram.ts";

/** Migrations of own SQL (decisions, part 13). */
export function checkOwnMigrations({ ownMigrations, strayMigrations, report }: CheckContext): void {
  const start = (file: string) => ({ file, offset: 0, length: 1 });
  for (const file of strayMigrations)
    report("misnamed-migration", start(file), `${basename(file)} is no name of a migration`, wanted);
  for (const migration of ownMigrations) {
    const { file, name, problem } = migration;
    if (Number.parseInt(name, 10) < 2)
      report(
        "misnamed-migration",
        start(file),
        "the first number is that of the first tables",
        "give it a later one",
      );
    if (problem !== null)
      report("invalid-migration", { file, offset: problem.offset, length: 1 }, problem.message, null);
    else if (isEmpty(migration))
      report(
        "empty-migration",
        start(file),
        "there is nothing to do yet, and nobody can migrate",
        "write its up or its batches",
      );
    else for (const message of problemsOf(migration)) report("invalid-migration", start(file), message, null);
  }
}

function isEmpty({ sql }: OwnMigration): boolean {
  return sql !== null && sqlTexts(sql.up).length + (sql.batches ?? []).length === 0;
}

function problemsOf({ sql }: OwnMigration): string[] {
  return sql === null ? [] : sqlProblems(sql);
}
