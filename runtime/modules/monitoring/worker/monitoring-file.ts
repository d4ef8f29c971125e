import { statSync } from "node:fs";
import type { Batch, FailureReason, ReadRequest, StoreSettings } from "../records/messages.ts";
import { codeOf, ForeignFile, failureKind } from "./database/failure-kind.ts";
import { openDatabase, pageBytes, toForeignFile, versionsOf } from "./database/open-database.ts";
import { inodeOf, setAside } from "./database/set-aside.ts";
import type { Database } from "./database/sqlite.ts";
import { runRead } from "./reads/answers.ts";
import { RowWriter } from "./rows/row-writer.ts";
import {
  cleanUp,
  fits,
  freeSpace,
  isJournalLong,
  type SizeLimit,
  sizeLimit,
  truncateJournal,
} from "./rows/size-limit.ts";

const batchesBetweenCleanUps = 10;
const longestCleanUpMs = 250;
const dayMs = 86_400_000;

/** Writes to the service's log. */
export type Notice = (level: "info" | "warn", message: string) => void;

/** A failed operation; the log already has the details for operators. */
export class MonitoringFailure extends Error {
  override readonly name = "MonitoringFailure";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.reason = reason;
  }
}

/** An open file and its identity, because another process can replace it. */
interface OpenFile {
  readonly database: Database;
  readonly writer: RowWriter;
  readonly inode: number;
  /** Schema version when opened, and now. */
  readonly version: number;
  readonly versionNow: () => number;
}

/** The store's file. Reopens and recovers it after failures. */
export class MonitoringFile {
  readonly #settings: StoreSettings;
  readonly #notice: Notice;
  readonly #limit: SizeLimit;
  #open: OpenFile | null = null;
  /** The last logged problem that still exists. */
  #problem: string | null = null;
  #lost = 0;
  #batches = 0;

  constructor(settings: StoreSettings, notice: Notice) {
    this.#settings = settings;
    this.#notice = notice;
    this.#limit = sizeLimit(settings.maxDatabaseMb);
  }

  /** Opens the file and removes expired rows. */
  start(): void {
    this.#cleanUp();
  }

  /** Throws `MonitoringFailure` if it could not write. */
  write(batch: Batch): void {
    try {
      this.#attempt((file) => this.#writeTo(file, batch));
    } catch (error) {
      if (!(error instanceof MonitoringFailure && error.reason === "busy")) {
        this.#lost += batch.records.length + batch.logs.length;
      }
      throw error;
    }
    this.#recovered();
  }

  /** JSON text of the response. Throws `MonitoringFailure`. */
  read(request: ReadRequest): string {
    return this.#attempt(({ database }) => runRead(database, request));
  }

  /** Call it after each batch, when no caller waits. */
  maintain(): void {
    if (++this.#batches >= batchesBetweenCleanUps) this.#cleanUp();
  }

  close(): void {
    const open = this.#open;
    this.#open = null;
    open?.database.close();
  }

  #attempt<Result>(work: (file: OpenFile) => Result): Result {
    let inode: number | null = null;
    try {
      inode = inodeOf(this.#settings.path);
      return work(this.#opened());
    } catch (error) {
      if (failureKind(error) !== "damaged") throw this.#failed(error);
      return this.#retryWithNewFile(error, inode, work);
    }
  }

  /** Retries with a new file. `inode` is that of the damaged one. */
  #retryWithNewFile<Result>(damage: unknown, inode: number | null, work: (file: OpenFile) => Result): Result {
    try {
      this.#setAside(damage, inode);
      this.close();
      return work(this.#opened());
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #opened(): OpenFile {
    const open = this.#open;
    if (open !== null && this.#isSameFile(open)) {
      if (statSync(this.#settings.path).size < pageBytes) throw new ForeignFile("it was truncated");
      // Another process can have a newer version.
      if (open.versionNow() === open.version) return open;
    } else if (open !== null) {
      this.#notice(
        "warn",
        `The monitoring store ${this.#settings.path} was removed or replaced: opening it again`,
      );
    }
    this.close();
    this.#open = openFile(this.#settings.path, this.#limit);
    return this.#open;
  }

  /** Another process can have removed or replaced the file. */
  #isSameFile({ inode }: OpenFile): boolean {
    return inodeOf(this.#settings.path) === inode;
  }

  #writeTo({ writer, database }: OpenFile, batch: Batch): void {
    this.#writeRows(writer, database, batch, sharesWhenFull);
    if (isJournalLong(this.#settings.path, this.#limit)) truncateJournal(database);
  }

  #writeRows(writer: RowWriter, database: Database, batch: Batch, shares: readonly number[]): void {
    const [share, ...others] = shares;
    try {
      writer.write(batch);
    } catch (error) {
      if (share === undefined || codeOf(error) !== "SQLITE_FULL") throw error;
      // If the disk is full, deleting rows does not free space.
      if (fits(database, this.#limit, JSON.stringify(batch).length)) throw error;
      freeSpace(database, this.#limit, share);
      this.#writeRows(writer, database, batch, others);
    }
  }

  /** Removes expired and excess rows within a time limit; the rest follows after the next batch. */
  #cleanUp(): void {
    const now = Date.now();
    try {
      this.#attempt(({ database }) => {
        const oldest = now - this.#settings.retentionDays * dayMs;
        if (cleanUp(database, this.#limit, { oldest, until: now + longestCleanUpMs })) this.#batches = 0;
        if (isJournalLong(this.#settings.path, this.#limit)) truncateJournal(database);
      });
    } catch (error) {
      if (!(error instanceof MonitoringFailure)) throw error;
    }
  }

  /** Renamed while open: SQLite then neither copies nor removes the journal. */
  #setAside(damage: unknown, inode: number | null): void {
    const { path } = this.#settings;
    const aside = setAside(path, inode);
    if (aside === null) return;
    const cause = `${path} is damaged, or is not a store of this version: ${textOf(damage)}`;
    this.#notice(
      "warn",
      `The monitoring store ${cause}. It was renamed to ${aside}, and a new one was created`,
    );
  }

  #failed(error: unknown): MonitoringFailure {
    const kind = failureKind(error);
    if (kind !== "busy") this.#closeQuietly();
    if (kind === "no-binary") this.#warnOnce(kind, noBinary(error));
    else this.#warnOnce(`${kind} ${codeOf(error)}`, `${problems[kind]}: ${textOf(error)}`);
    return new MonitoringFailure(kind === "busy" || kind === "unexpected" ? kind : "unusable", error);
  }

  #closeQuietly(): void {
    try {
      this.close();
    } catch {
      // The file was not usable anyway.
    }
  }

  #warnOnce(problem: string, message: string): void {
    if (this.#problem === problem) return;
    this.#problem = problem;
    this.#notice("warn", `The monitoring store ${this.#settings.path} ${message}`);
  }

  #recovered(): void {
    if (this.#problem === null) return;
    this.#notice(
      "info",
      `The monitoring store ${this.#settings.path} is written again; lost: ${this.#lost} records`,
    );
    this.#problem = null;
    this.#lost = 0;
  }
}

/** Fill levels to try, in order, until the batch fits. */
const sharesWhenFull = [0.9, 0.6, 0.3, 0];

const problems = {
  damaged: "cannot be replaced",
  busy: "is locked by another process",
  unusable: "cannot be used: records are lost until this is fixed",
  unexpected: "has failed",
};

function noBinary(error: unknown): string {
  return `cannot be written, because SQLite is missing. Use Node.js 22.13 or later, or run npm rebuild better-sqlite3 (${textOf(error)})`;
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}

function openFile(path: string, limit: SizeLimit): OpenFile {
  const database = openDatabase(path, limit);
  try {
    const writer = new RowWriter(database);
    const versionNow = versionsOf(database);
    return { database, writer, inode: statSync(path).ino, version: versionNow(), versionNow };
  } catch (error) {
    database.close();
    throw toForeignFile(error);
  }
}
