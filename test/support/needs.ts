import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";
// A relative path, since vitest loads its configuration without the conditions that it sets.
import { loadSqlite } from "../../runtime/modules/monitoring/worker/database/sqlite.ts";

/**
 * The path of a program of the system that a test file cannot do without, by any of its names or paths; null if it is not installed,
 * for `describe.skipIf`. Where `TEST_SKIPS=fail` is set, as `.ci/run` does, its absence is a failure.
 */
export function needs(...names: readonly [string, ...string[]]): string | null {
  const path = names.map(find).find((found) => found !== null) ?? null;
  if (path === null) skip(names[0]);
  return path;
}

/** Whether the tests of monitoring can run: a Node.js before 22.13 needs the binary of `better-sqlite3`. Reports as `needs` does. */
export function needsSqlite(): boolean {
  try {
    new (loadSqlite())(":memory:").close();
    return true;
  } catch {
    skip("SQLite");
    return false;
  }
}

function skip(name: string): void {
  const message = `${name} is not installed`;
  if (process.env["TEST_SKIPS"] === "fail")
    throw new Error(`${message}, and TEST_SKIPS=fail forbids to skip`);
  process.stderr.write(`\n${message}: the tests that need it are skipped\n`);
}

function find(name: string): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => resolve(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
