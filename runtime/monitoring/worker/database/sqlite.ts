import { createRequire } from "node:module";
import type BetterSqlite3 from "better-sqlite3";

export type Database = BetterSqlite3.Database;

/** SQLite, which is loaded with the first file that is opened. Throws where it is not installed or not for this platform. */
export function loadSqlite(): typeof BetterSqlite3 {
  const sqlite: typeof BetterSqlite3 = createRequire(import.meta.url)("better-sqlite3");
  return sqlite;
}
