import { argumentOf, constant, NotData, readCode } from "../load/read-code.ts";
import { HistoryError } from "./history-error.ts";
import { isMigrationData, type MigrationData } from "./snapshot-shape.ts";

/**
 * Reads a migration file as data: literals, and the lists of steps that a long migration keeps in constants. Runs nothing.
 * Throws a HistoryError for a file with anything else; the error shows `path` to the user.
 */
export function readMigration(path: string, text: string): MigrationData {
  const data = dataIn(path, text);
  if (data === undefined) throw new HistoryError(`${path} declares no migration`);
  if (!isMigrationData(data)) throw new HistoryError(`${path} is not a list of migration steps`);
  return data;
}

function dataIn(path: string, text: string): unknown {
  const code = readCode(path, text);
  try {
    return argumentOf(constant("migration", code), code);
  } catch (error) {
    if (!(error instanceof NotData)) throw error;
    throw new HistoryError(`${path}:${placeIn(text, error.offset)} ${error.message}`);
  }
}

function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
