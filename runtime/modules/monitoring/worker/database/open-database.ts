import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, ForeignFile, failureKind, NewerFile } from "./failure-kind.ts";
import { type Database, loadSqlite } from "./sqlite.ts";
import { schemaSteps } from "./store-schema.ts";

/** Busy timeout for locks of other processes. */
const busyMs = 5_000;
/** `KRKM`: marks the SQLite files of this service. */
const applicationId = 0x4b524b4d;

export interface OpenOptions {
  /** Steps of the schema; tests add to them. */
  readonly steps?: readonly string[];
  /** Most pages of the file. */
  readonly maxPages: number;
  /** Pages in the journal after which it is copied to the file. */
  readonly journalPages: number;
}

/** Opens or creates the store and migrates it. Throws `ForeignFile` for other files, unchanged. */
export function openDatabase(path: string, options: OpenOptions): Database {
  const Sqlite = loadSqlite();
  makeFolder(dirname(path));
  if (!existsSync(path)) createPrivate(path);
  else if (isForeign(path)) throw new ForeignFile("it is not a store of this service");
  const database = new Sqlite(path, { timeout: busyMs });
  try {
    prepare(database, options);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof NewerFile && !isInUse(path)
      ? new ForeignFile(error.message)
      : toForeignFile(error);
  }
}

/** Node.js's `recursive` loops forever in some places, such as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** SQLite grants an exclusive lock only if no other process has the file open. */
function isInUse(path: string): boolean {
  const database = new (loadSqlite())(path, { timeout: 0 });
  try {
    database.pragma("locking_mode = exclusive");
    database.pragma("user_version");
    return false;
  } catch {
    return true;
  } finally {
    database.close();
  }
}

/** In a file with Kirak's mark, statements fail only if the schema is damaged. */
export function toForeignFile(error: unknown): unknown {
  return codeOf(error) === "SQLITE_ERROR" ? new ForeignFile(String(error)) : error;
}

/** For its owner only, because it contains user ids. The journal inherits the mode. Keeps an existing file. */
function createPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

/** Reads bytes, because SQLite can change a file on open. Empty files are not foreign. */
function isForeign(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size === 0)) return false;
  // Read before the header: Kirak's files get their mark before they have a journal.
  const hasJournal = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  const isSqlite = header.toString("latin1", 0, 16) === "SQLite format 3\0";
  const hadTables = hasJournal || header.readUInt32BE(40) !== 0;
  return !isSqlite || (hadTables && header.readUInt32BE(68) !== applicationId);
}

function prepare(database: Database, { steps = schemaSteps, maxPages, journalPages }: OpenOptions): void {
  database.pragma("auto_vacuum = incremental");
  migrate(database, steps);
  enableWal(database);
  database.pragma("synchronous = normal");
  database.pragma("foreign_keys = off");
  database.pragma(`wal_autocheckpoint = ${journalPages}`);
  database.pragma(`journal_size_limit = ${journalPages * pageBytes}`);
  database.pragma(`max_page_count = ${maxPages}`);
}

/** The first change of a file needs an exclusive lock, for which SQLite does not wait. */
function enableWal(database: Database): void {
  for (const until = Date.now() + busyMs; ; Atomics.wait(pause, 0, 0, 10)) {
    try {
      database.pragma("journal_mode = wal");
      return;
    } catch (error) {
      if (failureKind(error) !== "busy" || Date.now() > until) throw error;
    }
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Page size of the file. */
export const pageBytes = 4096;

/** In one transaction, safe against concurrent migrations. */
function migrate(database: Database, steps: readonly string[]): void {
  if (versionOf(database) === steps.length) return;
  database
    .transaction(() => {
      const version = versionOf(database);
      const isEmpty = database.prepare("select 1 from sqlite_schema").get() === undefined;
      if (version === 0 && !isEmpty) throw new ForeignFile("it is not a store of this service");
      if (version > steps.length) throw new NewerFile("a newer version of the service has written it");
      for (const step of steps.slice(version)) database.exec(step);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${steps.length}`);
    })
    .exclusive();
}

/** Version of the schema that a file has. */
export function versionOf(database: Database): number {
  return versionsOf(database)();
}

/** Returns a function that reads the version, which another process can change. */
export function versionsOf(database: Database): () => number {
  const statement = database.prepare<[], number>("pragma user_version").pluck();
  return () => Number(statement.get());
}
