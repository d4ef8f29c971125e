import { join, posix } from "node:path";
import { customMigrationsFolder } from "../../vocabulary/models-folder.ts";
import { importFromKirak } from "../emit/file.ts";
import { nextNumber } from "../migrations/plan.ts";
import { migrationAt } from "../output/output-files.ts";
import { filesIn } from "../output/output-folder.ts";
import { makeFoldersOf, replaceFile } from "../output/save.ts";

/** The paths of a project; `models` and `out` are relative to `root`. */
interface Places {
  readonly root: string;
  readonly models: string;
  readonly out: string;
}

/** The text of a new custom SQL migration, with commented examples. */
const start = `import { defineSqlMigration } from "${importFromKirak("migrations")}";

// Custom SQL: docs/custom-sql.md. Never edit a migration that a database has applied: create another one.
export default defineSqlMigration({
  // "additive", "destructive" (rows are lost, or it fails on some) or "breaks-older-code" (running older instances fail)
  class: "additive",
  up: [
    // "CREATE INDEX books_title_lower_idx ON books (lower(title))",
  ],
  down: [
    // "DROP INDEX books_title_lower_idx",
  ],
});
`;

/** Makes the file, with the number after all that are there; the first one is that of the first tables. Gives its path. */
export function makeMigration({ root, models, out }: Places, name: string): string {
  const folder = posix.join(posix.dirname(models), customMigrationsFolder);
  const chain = filesIn(join(root, out)).flatMap((path) => migrationAt(path) ?? []);
  const number = nextNumber(["0001", ...chain, ...filesIn(join(root, folder))]);
  const file = posix.join(folder, `${number}_${name}.ts`);
  makeFoldersOf([join(root, file)]);
  replaceFile(join(root, file), start);
  return file;
}
