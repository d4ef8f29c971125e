import { argumentOf, constantValue, NotData, readCode } from "../load/read-code.ts";
import { hasMergeMarks } from "../output/merge-marks.ts";
import type { MigrationHeader } from "./branches.ts";
import { HistoryError } from "./history-error.ts";
import { isMigrationData, type MigrationData } from "./snapshot-shape.ts";

/** Matches at the start of a line, so never inside a string: strings have no line breaks. */
const header =
  /^export const migration = (?:define|link)Migration\(\{\s*name: ["']([^"']*)["'],\s*parent: (?:null|["']([^"']*)["']),/m;

/** The name and the parent of a migration. Throws a HistoryError with `path` in its message. */
export function headerOf(name: string, text: string, path: string): MigrationHeader {
  if (hasMergeMarks(text))
    throw new HistoryError(
      `${path} has conflict markers: two branches added it, and only one version can stay. The next run adds the missing changes as ` +
        "a new migration",
      `keep the version that a shared database has (git checkout --ours -- ${path}, or --theirs), and run again`,
    );
  const [, declared, parent = null] = header.exec(text) ?? [];
  if (declared === undefined) throw new HistoryError(`${path} declares no migration`);
  if (declared !== name)
    throw new HistoryError(`${path} declares the migration ${declared}, which is not the name of the file`);
  return { name, parent };
}

/** Whether a migration is only a link to custom SQL in `models/migrations/`. */
export function isLink(text: string): boolean {
  return /^export const migration = linkMigration\(/m.test(text);
}

/** Returns the ids of the destructive steps that the header of a migration lists as accepted. */
export function acceptedIn(text: string): string[] {
  return [...text.matchAll(/^\/\/ Destructive: (\S+), accepted/gm)].flatMap(([, id]) => id ?? []);
}

/** The note in a header about a step that breaks older code. The id of the step follows. */
export const olderNote = "Running older instances fail where they use it, until they are replaced:";

/** Returns the ids of the steps that break older instances, according to the header of a migration. */
export function breakingOlderIn(text: string): string[] {
  return [...text.matchAll(new RegExp(`^// ${olderNote} (\\S+)`, "gm"))].flatMap(([, id]) => id ?? []);
}

/** Returns the ids of the widening steps, according to the header of a migration. */
export function wideningIn(text: string): string[] {
  return [...text.matchAll(/^\/\/ Widening: (\S+)/gm)].flatMap(([, id]) => id ?? []);
}

/**
 * Parses a migration file as data, without running it: literals, and constants with lists of steps in long migrations. Throws a
 * HistoryError with `path` in its message for other code.
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
    return argumentOf(constantValue("migration", code), code);
  } catch (error) {
    if (!(error instanceof NotData)) throw error;
    throw new HistoryError(`${path}:${placeIn(text, error.offset)} ${error.message}`);
  }
}

function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
