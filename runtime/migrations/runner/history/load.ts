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
      `${misnamed} is not a migration name, such as 0002_add_isbn_to_books.ts: restore the file name`,
    );
  const migrations = await Promise.all(files.map((file) => importMigration(folder, file, load)));
  const named = migrations.find(({ name }) => name === last);
  return named === undefined ? chained(migrations) : chained(ancestorsOf(named, migrations));
}

async function filesIn(folder: URL): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new MigrationError(`the migrations cannot be read: ${fileURLToPath(folder)} does not exist`, {
      cause,
    });
  }
}

async function importMigration(folder: URL, file: string, load: LoadModule): Promise<Migration> {
  const { migration }: { migration?: Migration } = Object(await load(new URL(file, folder).href));
  if (migration === undefined) throw new MigrationError(`${file} exports no migration`);
  if (migration.name !== migrationFile.exec(file)?.[1])
    throw new MigrationError(`${file} contains the migration ${migration.name}: restore the file name`);
  return migration;
}

/** A migration and its ancestors. */
function ancestorsOf(last: Migration, migrations: readonly Migration[]): Migration[] {
  const found = new Set([last]);
  for (const { parent } of found) {
    const next = migrations.find(({ name }) => name === parent);
    if (next !== undefined) found.add(next);
  }
  return [...found];
}

/** Orders migrations by their parents. */
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
      `${lost.name} builds on ${lost.parent}, which is missing or is part of a cycle: restore both from version control`,
    );
  return chain;
}

function twoHeads({ name, parent }: Migration, other: Migration): MigrationError {
  return new MigrationError(
    `${name} and ${other.name} both build on ${parent ?? "nothing"}: run npm run generate, which prints the next step ` +
      "(if it finds no problem, dist/ is out of date: run npm run build)",
  );
}
