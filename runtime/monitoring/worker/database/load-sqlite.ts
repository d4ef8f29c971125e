import { createRequire } from "node:module";
import { NodeSqlite } from "./node-sqlite.ts";
import type { Sqlite } from "./sqlite.ts";

const load = createRequire(import.meta.url);

/** `node:sqlite` of Node.js 22.13 and later, else `better-sqlite3`. Throws where neither is there, or not for this platform. */
export function loadSqlite(): Sqlite {
  if (NodeSqlite.isThere()) return NodeSqlite;
  const sqlite: Sqlite = load("better-sqlite3");
  return sqlite;
}
