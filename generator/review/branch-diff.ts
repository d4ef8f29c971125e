import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import type { CustomMigration } from "../load/read-custom-migrations.ts";
import { HistoryError } from "../migrations/history-error.ts";
import { isLink, readMigration } from "../migrations/migration-header.ts";
import type { History } from "../migrations/read-history.ts";
import type { Snapshot } from "../migrations/schema.ts";
import { migrationAt, migrationPath, snapshotPath } from "../output/output-files.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import { type BaseFiles, textAt } from "./git-base.ts";

/** A migration that exists on disk. */
export interface ReadMigration {
  readonly name: string;
  readonly text: string;
  /** Empty for custom SQL. */
  readonly steps: readonly Step[];
}

/** The difference between the migrations of a project and those of a commit. */
export interface BranchDiff {
  /** The down steps of the migrations that only the commit has, newest first. */
  readonly undoSteps: readonly Step[];
  /** The migrations that only the project has, oldest first. */
  readonly newMigrations: readonly ReadMigration[];
}

/** The current state of a project: its folders, history and custom SQL. */
export interface ProjectState {
  readonly root: string;
  readonly out: string;
  readonly folder: OutputFolder;
  readonly history: History;
  /** Files of custom SQL. */
  readonly customMigrations: readonly CustomMigration[];
}

/** Compares both histories after the last migration that they share. Returns a problem for the user if one cannot be read. */
export async function branchDiff(
  files: BaseFiles,
  snapshot: Snapshot,
  held: ProjectState,
): Promise<BranchDiff | { problem: string }> {
  const there = namesOf(files);
  if ((there.at(-1) ?? null) !== snapshot.migration)
    return { problem: `${snapshotPath} is not that of the last migration` };
  const here = held.history.names;
  const apart = there.findIndex(
    (name, index) => here[index] !== name || files.changed.includes(`${name}.ts`),
  );
  const shared = apart === -1 ? there.length : apart;
  const [theirs, ours] = [there.slice(shared), here.slice(shared)];
  if (theirs.length + ours.length === 0) return { undoSteps: [], newMigrations: [] };
  const texts = theirs.map((name) => textAt(held.root, held.out, files.commit, migrationPath(name)));
  try {
    return { undoSteps: stepsToUndo(theirs, await Promise.all(texts)), newMigrations: readAll(ours, held) };
  } catch (error) {
    if (error instanceof HistoryError) return { problem: error.message };
    throw error;
  }
}

function namesOf({ migrations }: BaseFiles): string[] {
  return migrations
    .flatMap((file) => migrationAt(`migrations/${file}`) ?? [])
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

function stepsToUndo(names: readonly string[], texts: readonly (string | null)[]): Step[] {
  const steps = names.map((name, index) => {
    const text = texts[index] ?? "";
    return isLink(text) ? [] : readMigration(migrationPath(name), text).down;
  });
  return steps.reverse().flat();
}

function readAll(names: readonly string[], { folder }: ProjectState): ReadMigration[] {
  return names.map((name) => {
    const path = migrationPath(name);
    const text = folder.files.get(path) ?? "";
    return { name, text, steps: isLink(text) ? [] : readMigration(path, text).up };
  });
}
