import { isDeepStrictEqual } from "node:util";
import { inRunningOrder } from "../../vocabulary/migrations/migration-order.ts";
import type { Check, Column, Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { CommandFlags } from "../diagnostics/command.ts";
import { Stop } from "../diagnostics/stop.ts";
import { isEditedMigration } from "../output/file-changes.ts";
import { checksum } from "../output/lock-file.ts";
import { hasMergeMarks } from "../output/merge-marks.ts";
import { migrationAt, migrationPath, snapshotPath } from "../output/output-files.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import { type Branches, branchesOf, type MigrationHeader, pathsOf, withDescendants } from "./branches.ts";
import { HistoryError } from "./history-error.ts";
import { acceptedIn, headerOf, isLink, readMigration } from "./migration-header.ts";
import {
  editedMigrationsProblem,
  headsProblem,
  historyProblem,
  rebaseProblem,
} from "./problems/history-problems.ts";
import { rebasedRenames } from "./rebased-renames.ts";
import type { TableRename } from "./renames.ts";
import { replay } from "./replay.ts";
import { keyOf, type Snapshot, type Table } from "./schema.ts";
import { readSchema, requireOneOfEachColumn, usersStep, withUsers } from "./schema-file.ts";

/** The existing migrations, oldest first, and the tables after the last one. */
export interface History {
  readonly names: readonly string[];
  /** The links to custom SQL, and whether their data loss was accepted. */
  readonly links: ReadonlyMap<string, { readonly accepted: boolean }>;
  readonly snapshot: Snapshot;
  /** The error in `schema.json`, if the tables were derived again from the migrations. */
  readonly derived: string | null;
  readonly rebased: Rebased | null;
  /** Migrations that the lock and `schema.json` do not list: git keeps new files when it reverts the others of a run. */
  readonly unrecorded: readonly string[];
}

/** The migrations that `--rebase` removed, with their accepted destructive steps and their renames. */
export interface Rebased {
  readonly removed: readonly string[];
  readonly accepted: readonly string[];
  readonly renames: readonly TableRename[];
  /** Custom SQL among them, oldest first. Its files stay in `models/migrations/`. */
  readonly customMigrations: readonly UnlinkedMigration[];
}

/** Custom SQL that was removed from the chain. `first` means that it ran before all removed migrations of models. */
export interface UnlinkedMigration {
  readonly name: string;
  readonly first: boolean;
}

/** Why a run cannot build on the history. */
export type NoHistory =
  /** Inconsistent files, in words for the user. */
  | { readonly broken: string; readonly fix: string | null; readonly missing: readonly string[] }
  | { readonly branches: Branches }
  /** Names after `--rebase` that cannot be derived again, and the names that can. */
  | { readonly refused: readonly string[]; readonly candidates: readonly string[] };

/** A file that looks like a migration, even if its name is wrong. */
const numberedFile = /^migrations\/\d.*(?<!\.d)\.ts$/i;

const renaming = "restore the name of the file, such as 0002_add_isbn_to_books.ts";

/** The paths of the migrations that runs never rewrite. */
export function keptMigrations({ names, links }: History): string[] {
  return names.filter((name) => !links.has(name)).map(migrationPath);
}

/**
 * Reads the history from the output folder `out`. In a new folder it is empty. The tables come from `schema.json` if the lock has the
 * checksums of this file and of all migrations. Otherwise the migrations are replayed.
 */
export async function readMigrations(
  folder: OutputFolder,
  out: string,
  rebase: readonly string[],
): Promise<History | NoHistory> {
  try {
    return await readFrom(folder, out, rebase);
  } catch (error) {
    if (error instanceof HistoryError) {
      const { message, fix, missing } = error;
      return { broken: message, fix, missing };
    }
    throw error;
  }
}

async function readFrom(
  folder: OutputFolder,
  out: string,
  rebase: readonly string[],
): Promise<History | NoHistory> {
  const texts = migrationsIn(folder);
  const all = [...texts].map(([name, text]) => headerOf(name, text, `${out}/${migrationPath(name)}`));
  const { gone, headers } = separateLost(all, folder, rebase);
  const misnamed = [...folder.files.keys()].find(
    (path) => numberedFile.test(path) && migrationAt(path) === null,
  );
  if (misnamed !== undefined)
    throw new HistoryError(`${out}/${misnamed} is not a valid migration name`, renaming);
  const paths = pathsOf(headers);
  const branches = branchesOf(headers, paths);
  const candidates = candidatesOf(paths, branches);
  const refused = rebase.filter((name) => !candidates.includes(name) && !gone.has(name));
  if (refused.length > 0) return { refused, candidates };
  const removed = new Set([...gone, ...withDescendants(headers, rebase)]);
  const [names = [], other] = pathsOf(without(headers, removed));
  if (other !== undefined) return { branches };
  const tables = await tablesAfter(names, folder, out, removed.size > 0);
  const rebased = removed.size === 0 ? null : await takenAway(removed, all, texts, tables.snapshot);
  return {
    names,
    links: linksAmong(names, texts),
    ...tables,
    rebased,
    unrecorded: unrecordedIn(names, folder),
  };
}

/** Removes missing migrations that `--rebase` names, and all migrations that build on them. */
function separateLost(
  headers: readonly MigrationHeader[],
  folder: OutputFolder,
  rebase: readonly string[],
): { gone: ReadonlySet<string>; headers: readonly MigrationHeader[] } {
  const there = new Set(headers.map(({ name }) => name));
  const lost = lostMigrations(folder);
  const unnamed = lost.filter((name) => !rebase.includes(name));
  if (unnamed.length > 0) {
    const paths = unnamed.map(migrationPath).join(", ");
    const text =
      unnamed.length === 1
        ? "is missing, and a database may have applied it"
        : "are missing, and a database may have applied them";
    throw new HistoryError(`${paths} ${text} already`, null, lost);
  }
  const wanted = new Set([...lost, ...headers.flatMap(({ parent }) => parent ?? [])]);
  const named = rebase.filter((name) => wanted.has(name) && !there.has(name));
  const gone = withDescendants(headers, named);
  return { gone, headers: without(headers, gone) };
}

/** The texts of the migration files by the names of the files. */
function migrationsIn({ files }: OutputFolder): Map<string, string> {
  return new Map(
    [...files].flatMap(([path, text]) => {
      const name = migrationAt(path);
      return name === null ? [] : [[name, text] as const];
    }),
  );
}

function linksAmong(names: readonly string[], texts: ReadonlyMap<string, string>): History["links"] {
  return new Map(
    names.flatMap((name) => {
      const text = texts.get(name) ?? "";
      return isLink(text) ? [[name, { accepted: acceptedIn(text).length > 0 }] as const] : [];
    }),
  );
}

/** The names that `--rebase` can have. With several heads, only migrations that the heads do not share. */
function candidatesOf(paths: readonly string[][], { heads }: Branches): string[] {
  if (paths.length === 1) return paths.flat();
  return [...new Set(heads.flatMap(({ chain }) => chain))];
}

function without(headers: readonly MigrationHeader[], removed: ReadonlySet<string>): MigrationHeader[] {
  return headers.filter(({ name }) => !removed.has(name));
}

/** Reads the renames of removed migrations: the models may no longer have `renamed_from`. */
async function takenAway(
  removed: ReadonlySet<string>,
  headers: readonly MigrationHeader[],
  texts: ReadonlyMap<string, string>,
  { tables }: Snapshot,
): Promise<Rebased> {
  const files = [...removed].sort().flatMap((name) => {
    const text = texts.get(name);
    return text === undefined ? [] : [{ name, text }];
  });
  const steps = files
    .filter(({ text }) => !isLink(text))
    .flatMap(({ name, text }) => readMigration(migrationPath(name), text).up);
  return {
    removed: [...removed].sort(),
    accepted: files.flatMap(({ text }) => acceptedIn(text)),
    renames: rebasedRenames(tables, steps),
    customMigrations: unlinked(removed, headers, texts),
  };
}

function unlinked(
  removed: ReadonlySet<string>,
  headers: readonly MigrationHeader[],
  texts: ReadonlyMap<string, string>,
): UnlinkedMigration[] {
  const isOwn = (name: string) => isLink(texts.get(name) ?? "");
  const parents = new Map(headers.map(({ name, parent }) => [name, parent]));
  const comesFirst = (name: string): boolean => {
    const parent = parents.get(name) ?? null;
    if (parent === null || !removed.has(parent)) return true;
    return isOwn(parent) && comesFirst(parent);
  };
  return [...removed]
    .filter(isOwn)
    .sort()
    .map((name) => ({ name, first: comesFirst(name) }));
}

/** Migrations that are in the lock but not on disk, unless a run that removes them was killed. */
function lostMigrations({ files, lock, pending }: OutputFolder): string[] {
  return [...lock.files.keys()].flatMap((path) => {
    const name = migrationAt(path);
    const killed = pending.files.size > 0 && !pending.files.has(path);
    return name === null || files.has(path) || killed ? [] : [name];
  });
}

/**
 * Migrations that only the folder has, while lock and `schema.json` agree on the migration before them. A merge rarely causes this:
 * it changes the lock too, or leaves conflict marks in it.
 */
function unrecordedIn(names: readonly string[], folder: OutputFolder): string[] {
  const { files, lock } = folder;
  const first = names.findIndex((name) => !lock.files.has(migrationPath(name)));
  const snapshot = isVouched(snapshotPath, folder) ? readSchema(files.get(snapshotPath)) : null;
  const known = snapshot?.migration ?? null;
  return first > 0 && known === names[first - 1] ? names.slice(first) : [];
}

/** The tables after the migrations, and the error in `schema.json`, if there is one. */
async function tablesAfter(
  names: readonly string[],
  folder: OutputFolder,
  out: string,
  rebased: boolean,
): Promise<Pick<History, "snapshot" | "derived">> {
  const migration = names.at(-1) ?? null;
  const text = folder.files.get(snapshotPath);
  const snapshot = readSchema(text);
  requireOneOfEachColumn(snapshot?.tables ?? []);
  const fits = snapshot !== null && snapshot.migration === migration;
  const vouched = [snapshotPath, ...names.map(migrationPath)].every((path) => isVouched(path, folder));
  if (fits && vouched) return { snapshot, derived: null };
  const tables = await replayed(names, folder, out);
  requireOneOfEachColumn(tables);
  // Keeps the order of `schema.json` and its names of models.
  if (fits && sameTables(snapshot.tables, tables)) return { snapshot, derived: null };
  const derived =
    rebased || (text === undefined && names.length === 0) ? null : wrongWith(text, snapshot, fits);
  return { snapshot: { migration, tables }, derived };
}

function isVouched(path: string, { files, lock }: OutputFolder): boolean {
  const text = files.get(path);
  return text !== undefined && lock.files.get(path)?.content === checksum(text);
}

async function replayed(names: readonly string[], { files }: OutputFolder, out: string): Promise<Table[]> {
  if (names.length === 0) return withUsers([]);
  const migrations = names.map((name) => {
    const path = `${out}/${migrationPath(name)}`;
    const text = files.get(migrationPath(name)) ?? "";
    return { path, up: isLink(text) ? [] : readMigration(path, text).up };
  });
  const tables = inRunningOrder([{ path: "", up: [usersStep] }], migrations).reduce<Table[]>(
    (tables, { path, up }) => replayedFile(path, up, tables),
    [],
  );
  return withUsers(tables);
}

function replayedFile(path: string, steps: readonly Step[], tables: readonly Table[]): Table[] {
  try {
    return replay(steps, tables);
  } catch (error) {
    if (error instanceof HistoryError)
      throw new HistoryError(`${path} does not fit the migrations before it: ${error.message}`);
    throw error;
  }
}

function wrongWith(text: string | undefined, snapshot: Snapshot | null, fits: boolean): string {
  if (text === undefined) return "was missing";
  if (snapshot === null) return hasMergeMarks(text) ? "had merge conflict markers" : "could not be read";
  if (fits) return "did not match the result of the migrations";
  return `belonged to ${snapshot.migration ?? "no migration"}`;
}

/** Whether two lists of tables are equal for the database: their order and the keys of models are ignored. */
export function sameTables(some: readonly Table[], others: readonly Table[]): boolean {
  return isDeepStrictEqual(comparable(some), comparable(others));
}

function comparable(tables: readonly Table[]): ReadonlyMap<string, unknown> {
  return byName(
    tables.map((table) => ({
      name: table.name,
      // Only a baseline names the primary key if it is `id`.
      primaryKey: isDeepStrictEqual(keyOf(table), ["id"]) ? undefined : table.primaryKey,
      columns: byName(table.columns.map(withoutSecret)),
      indexes: byName(table.indexes),
      foreignKeys: byName(table.foreignKeys),
      checks: byName(table.checks.map(withoutOrder)),
    })),
  );
}

function withoutSecret({ secret: _, ...column }: Column): Omit<Column, "secret"> {
  return column;
}

/** The order of the values of a check does not matter. */
function withoutOrder(check: Check) {
  return "oneOf" in check ? { ...check, oneOf: new Set(check.oneOf) } : check;
}

function byName<Part extends { readonly name: string }>(parts: readonly Part[]): Map<string, Part> {
  return new Map(parts.map((part) => [part.name, part]));
}

/** The migrations that a run builds on. Throws a Stop if they are inconsistent or edited. */
export async function requireHistory(folder: OutputFolder, flags: CommandFlags): Promise<History> {
  const history = await readMigrations(folder, flags.out, flags.rebase);
  if (!("snapshot" in history)) throw withoutHistory(history, flags);
  const edited = history.names.filter((name) => isEditedMigration(migrationPath(name), folder));
  if (edited.length > 0 && !flags.force)
    throw new Stop(1, { problems: [editedMigrationsProblem(edited, flags)] });
  return history;
}

function withoutHistory(reason: NoHistory, flags: CommandFlags): Stop {
  if ("refused" in reason)
    return new Stop(2, { problems: [rebaseProblem(reason.refused, reason.candidates)] });
  if ("broken" in reason) return new Stop(1, { problems: [historyProblem(reason, flags)] });
  return new Stop(1, { problems: [headsProblem(reason.branches, flags)] });
}
