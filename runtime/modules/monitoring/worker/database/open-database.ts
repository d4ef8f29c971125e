import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, ForeignFile, failureKind, NewerFile } from "./failure-kind.ts";
import { type Database, loadSqlite } from "./sqlite.ts";
import { schemaSteps } from "./store-schema.ts";

/** How long another process may hold the file. */
const busyMs = 5_000;
/** `KRKM`: tells a store of this service from any other file of SQLite. */
const applicationId = 0x4b524b4d;

/** How a file is opened. */
export interface OpenOptions {
  /** Steps of the schema; tests add to them. */
  readonly steps?: readonly string[];
  /** Pages that the file may have. */
  readonly maxPages: number;
  /** Pages in the journal after which it is copied to the file. */
  readonly journalPages: number;
}

/**
 * Opens the store, makes it where there is none, and brings it to the schema of today. Throws `ForeignFile` where something
 * else lies there, which is not changed.
 */
export function openDatabase(path: string, options: OpenOptions): Database {
  const Sqlite = loadSqlite();
  makeFolder(dirname(path));
  if (!existsSync(path)) createPrivate(path);
  else if (isForeign(path)) throw new ForeignFile("it is no store of this service");
  const database = new Sqlite(path, { timeout: busyMs });
  try {
    prepare(database, options);
    return database;
  } catch (error) {
    database.close();
    throw error instanceof NewerFile && !isInUse(path) ? new ForeignFile(error.message) : foreignOr(error);
  }
}

/** With those above it. The `recursive` of Node.js 20 never returns in some places, such as below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Nobody can have a journal of SQLite's to himself while somebody else has the file open. */
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

/** Of a file that has our mark, a statement fails only where what it tells of its tables is wrong. */
export function foreignOr(error: unknown): unknown {
  return codeOf(error) === "SQLITE_ERROR" ? new ForeignFile(String(error)) : error;
}

/** For nobody else: it holds ids of users. SQLite gives its journal the rights of the file. Another process may make it meanwhile. */
function createPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

/** Looks at the bytes: SQLite may change what it opens. An empty file, and one without tables, is nobody's: somebody may be making it. */
function isForeign(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size === 0)) return false;
  // Looked at first: ours has its mark before it has a journal.
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
  keepJournal(database);
  database.pragma("synchronous = normal");
  database.pragma("foreign_keys = off");
  database.pragma(`wal_autocheckpoint = ${journalPages}`);
  database.pragma(`journal_size_limit = ${journalPages * pageBytes}`);
  database.pragma(`max_page_count = ${maxPages}`);
}

/** Once in the life of a file, when nobody else may look at it; SQLite does not wait for that. */
function keepJournal(database: Database): void {
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

/** Of a file of this service. */
export const pageBytes = 4096;

/** In one transaction, so that a file has all of it or nothing, whoever else is about to do the same. */
function migrate(database: Database, steps: readonly string[]): void {
  if (versionOf(database) === steps.length) return;
  database
    .transaction(() => {
      const version = versionOf(database);
      const isEmpty = database.prepare("select 1 from sqlite_schema").get() === undefined;
      if (version === 0 && !isEmpty) throw new ForeignFile("it is no store of this service");
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

/** Asks for the version again and again: another process may change it. */
export function versionsOf(database: Database): () => number {
  const statement = database.prepare<[], number>("pragma user_version").pluck();
  return () => Number(statement.get());
}
