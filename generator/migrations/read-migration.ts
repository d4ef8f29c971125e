import { literalReader, NotData } from "../load/typescript-literals.ts";
import { HistoryError } from "./history-error.ts";
import { isMigrationData, type MigrationData } from "./snapshot-shape.ts";

/**
 * Reads migration files as data: literals, and the lists of steps that a long migration keeps in constants. Nothing is
 * executed. The reader throws a HistoryError where a file holds anything else; it shows `path` to the user.
 */
export async function migrationReader(): Promise<(path: string, text: string) => MigrationData> {
  const read = await literalReader();
  return (path, text) => {
    const data = inHistory(path, text, () => read(path, text).constant("migration"));
    if (data === undefined) throw new HistoryError(`${path} declares no migration`);
    if (!isMigrationData(data)) throw new HistoryError(`${path} is not a list of migration steps`);
    return data;
  };
}

function inHistory(path: string, text: string, reading: () => unknown): unknown {
  try {
    return reading();
  } catch (error) {
    if (!(error instanceof NotData)) throw error;
    throw new HistoryError(`${path}:${placeIn(text, error.offset)} ${error.message}`);
  }
}

function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
