import { statSync } from "node:fs";
import { pageBytes } from "../database/open-database.ts";
import type { Database } from "../database/sqlite.ts";
import { recountMinutes } from "./request-minutes.ts";

const megabyte = 1024 * 1024;
/** Fill level at which rows are removed, and the level afterwards. */
const fullShare = 0.95;
const clearedShare = 0.9;
/** Times `journalPages`: the last batch before a checkpoint and the page headers exceed `journalPages`. */
const longJournalFactor = 1.5;
const endOfTime = Number.MAX_SAFE_INTEGER;

/** Limits of the file and the journal, in pages. Together they stay below `maxDatabaseMb`. */
export interface SizeLimit {
  readonly maxPages: number;
  readonly journalPages: number;
}

/** The journal gets an eighth, at most 8 MB: it can grow to twice its checkpoint size. */
export function sizeLimit(maxDatabaseMb: number): SizeLimit {
  const journalBytes = Math.min(8 * megabyte, (maxDatabaseMb * megabyte) / 8);
  return {
    maxPages: Math.floor((maxDatabaseMb * megabyte - journalBytes) / pageBytes),
    journalPages: Math.floor(journalBytes / 2 / pageBytes),
  };
}

/** Which rows to remove, and how long that can take. */
export interface CleanUpOptions {
  /** Rows from before are too old. */
  readonly oldest: number;
  /** When to stop. */
  readonly until: number;
}

/** Removes expired rows, then the oldest if the file is too full. False if the time ran out. */
export function cleanUp(
  database: Database,
  { maxPages }: SizeLimit,
  { oldest, until }: CleanUpOptions,
): boolean {
  while (removeOldest(database, oldest)) {
    if (Date.now() > until) return false;
  }
  const full = usedPages(database) > maxPages * fullShare;
  while (full && usedPages(database) > maxPages * clearedShare && removeOldest(database, endOfTime)) {
    if (Date.now() > until) return false;
  }
  if (pages(database, "page_count") > maxPages) shrink(database, maxPages);
  return true;
}

/** Whether this many bytes fit in the limit, if the disk has enough space. */
export function fits(database: Database, { maxPages }: SizeLimit, bytes: number): boolean {
  // Rows with their indexes take less than twice their JSON. A reserve is for pages that are not full.
  return (maxPages - usedPages(database)) * pageBytes > bytes * 2 + maxPages * (1 - fullShare) * pageBytes;
}

/** Removes the oldest rows until at most this share of the pages is in use. */
export function freeSpace(database: Database, { maxPages }: SizeLimit, share: number): void {
  while (usedPages(database) > maxPages * share && removeOldest(database, endOfTime));
}

/** Shrinks a file that was written under a higher limit. */
function shrink(database: Database, maxPages: number): void {
  database.pragma(`incremental_vacuum(${pages(database, "page_count") - maxPages})`);
  truncateJournal(database);
  database.pragma(`max_page_count = ${maxPages}`);
}

/** Checkpoints the journal and truncates it, as far as no reader needs it. */
export function truncateJournal(database: Database): void {
  database.pragma("wal_checkpoint(truncate)");
}

function usedPages(database: Database): number {
  return pages(database, "page_count") - pages(database, "freelist_count");
}

function pages(database: Database, pragma: "page_count" | "freelist_count"): number {
  return Number(database.pragma(pragma, { simple: true }));
}

/** Bytes of the file and its journal. */
export function bytesOf(path: string): number {
  return journalBytesOf(path) + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
}

/** Whether a reader has delayed checkpoints. Truncating after each batch costs 10 % of the writes. */
export function isJournalLong(path: string, { journalPages }: SizeLimit): boolean {
  return journalBytesOf(path) > journalPages * pageBytes * longJournalFactor;
}

function journalBytesOf(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Tables with a timestamp. Rows that refer to them are deleted with them. */
const timedTables = ["http_requests", "logs", "ai_runs", "mcp_calls"] as const;

/** Removes the oldest rows up to a moment, at most 2 %. False if none were removed. */
function removeOldest(database: Database, until: number): boolean {
  return database
    .transaction(() => {
      const oldest = timedTables.map((table) => momentsOf(database, table)).filter((one) => one !== null);
      const first = Math.min(...oldest.map((one) => one.first));
      if (first >= until) return false;
      removeThrough(database, Math.min(until - 1, ...oldest.map((one) => one.batchEnd)));
      return true;
    })
    .immediate();
}

/** Each removed row changes a page of the index by request id, so more rows would make the journal long. */
const mostRows = 1_000;

/** Times of a table's oldest row, and of the last row of its oldest batch. */
function momentsOf(database: Database, table: (typeof timedTables)[number]) {
  const bounds = database
    .prepare<[], { lowest: number | null; highest: number | null }>(
      `select (select min(id) from ${table}) as lowest, (select max(id) from ${table}) as highest`,
    )
    .get();
  if (bounds === undefined || bounds.lowest === null || bounds.highest === null) return null;
  const rows = Math.min(mostRows, Math.ceil((bounds.highest - bounds.lowest + 1) / 50));
  const moments = database
    .prepare<[number], { first: number; batchEnd: number }>(
      `select min(at) as first, max(at) as batchEnd from (select at from ${table} order by at limit ?)`,
    )
    .get(rows);
  return moments ?? null;
}

/** In one transaction. Minutes stay consistent with rows. */
function removeThrough(database: Database, last: number): void {
  const through = { last };
  const run = (sql: string) => database.prepare<[typeof through]>(sql).run(through);
  const requests = "(select id from http_requests where at <= @last)";
  run(`delete from request_steps where http_request_id in ${requests}`);
  run(`delete from request_errors where http_request_id in ${requests}`);
  run("delete from ai_tool_calls where ai_run_id in (select id from ai_runs where at <= @last)");
  for (const table of timedTables) run(`delete from ${table} where at <= @last`);
  recountMinutes(database, last + 1);
}
