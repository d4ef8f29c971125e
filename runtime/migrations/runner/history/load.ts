import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Migration, migrationName } from "../../../../vocabulary/migrations/migration-steps.ts";
import { MigrationError } from "../migration-error.ts";

const migrationFile = new RegExp(`^(${migrationName.source})\\.(?:ts|js)$`);
/** A file that looks like a migration, even if its name is not valid. */
const numberedFile = /^\d.*(?<!\.d)\.(?:ts|js)$/i;

/** Loads a module of an app by its URL. */
export type LoadModule = (url: string) => Promise<unknown>;

const loadNatively: LoadModule = (url) => import(url);

/**
 * Returns the migrations in a folder, parents first; if `last` is one of them, only it and its ancestors.
 * Throws a MigrationError if they are not a chain, for example after a merge of two branches.
 */
export async function loadMigrations(
  folder: URL | null,
  last?: string,
  load: LoadModule = loadNatively,
): Promise<Migration[]> {
  if (folder === null) return [];
  const files = (await filesIn(folder)).filter((file) => numberedFile.test(file)).sort();
  const misnamed = files.find((file) => !migrationFile.test(file));
  if (misnamed !== undefined)
    throw new MigrationError(
      `${misnamed} is no name of a migration, such as 0002_add_isbn_to_books.ts: restore the name of the file`,
    );
  const migrations = await Promise.all(files.map((file) => importMigration(folder, file, load)));
  const named = migrations.find(({ name }) => name === last);
  return named === undefined ? chained(migrations) : chained(ancestorsOf(named, migrations));
}

async function filesIn(folder: URL): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new MigrationError(`the migrations cannot be read: ${fileURLToPath(folder)} is not there`, {
      cause,
    });
  }
}

async function importMigration(folder: URL, file: string, load: LoadModule): Promise<Migration> {
  const { migration }: { migration?: Migration } = Object(await load(new URL(file, folder).href));
  if (migration === undefined) throw new MigrationError(`${file} exports no migration`);
  if (migration.name !== migrationFile.exec(file)?.[1])
    throw new MigrationError(`${file} holds the migration ${migration.name}: restore the name of the file`);
  return migration;
}

/** A migration with all that it builds on. */
function ancestorsOf(last: Migration, migrations: readonly Migration[]): Migration[] {
  const found = new Set([last]);
  for (const { parent } of found) {
    const next = migrations.find(({ name }) => name === parent);
    if (next !== undefined) found.add(next);
  }
  return [...found];
}

/** Follows the parents from the first migration to the last. */
function chained(migrations: readonly Migration[]): Migration[] {
  const chain: Migration[] = [];
  for (let parent: string | null = null; ; ) {
    const [next, other] = migrations.filter((migration) => migration.parent === parent);
    if (next === undefined) break;
    if (other !== undefined) throw twoHeads(next, other);
    chain.push(next);
    parent = next.name;
  }
  const lost = migrations.find((migration) => !chain.includes(migration));
  if (lost !== undefined)
    throw new MigrationError(
      `${lost.name} builds on ${lost.parent}, which is missing or builds on it in turn: restore it from version control`,
    );
  return chain;
}

function twoHeads({ name, parent }: Migration, other: Migration): MigrationError {
  return new MigrationError(
    `${name} and ${other.name} both build on ${parent ?? "nothing"}: run npm run generate, which says how to go on ` +
      "(where it finds nothing wrong, dist/ is an old build: run npm run build)",
  );
}
