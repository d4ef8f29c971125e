import { sqlChecksumInput } from "../../vocabulary/migrations/sql-migration.ts";
import { lockFile } from "../../vocabulary/models-folder.ts";
import { Stop, type StopProblem } from "../diagnostics/stop.ts";
import { type CustomMigration, readCustomMigrations } from "../load/read-custom-migrations.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import { rebasedRenames } from "../migrations/rebased-renames.ts";
import type { TableRename } from "../migrations/renames.ts";
import type { Snapshot } from "../migrations/schema.ts";
import { readSchema } from "../migrations/schema-file.ts";
import { checksum, parseLock } from "../output/lock-file.ts";
import {
  accountDeletionPath,
  documentPath,
  graphqlSchemaPath,
  matrixPath,
  migrationAt,
  snapshotPath,
} from "../output/output-files.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import { isFirstRun, isWrittenByRun } from "./access/former-access.ts";
import { type ApiTexts, noApi } from "./api/breaking-changes.ts";
import { type BranchDiff, branchDiff, type ProjectState } from "./branch-diff.ts";
import { type BaseFiles, fileAtCommit, readBase, textAt } from "./git-base.ts";

/** The earlier state that a run is compared with: the output of the last run, or a commit. */
export interface FormerState {
  /** The commit as the user named it; null for the last run. */
  readonly base: string | null;
  readonly snapshot: Snapshot;
  readonly renames: readonly TableRename[];
  /** Text of `access-matrix.txt`; null if it is unknown. */
  readonly matrix: string | null;
  /** Null if a file is missing. */
  readonly api: ApiTexts | null;
  /** Text of `account-deletion.txt`; null if it is missing. */
  readonly accountDeletion: string | null;
}

/** A commit that a run is compared with, and the migrations since. */
export interface Base extends Omit<FormerState, "renames">, BranchDiff {
  /** Files of custom SQL that have other SQL at the commit. */
  readonly edited: readonly string[];
}

/** Commits that a run is compared with, in addition to the last run. */
export interface Baselines {
  /** The commit after `--base`. */
  readonly base: Base | null;
  /** The branch that another branch was merged into. */
  readonly merged: Base | null;
}

/** Reads the baselines from version control. Throws a Stop if the commit after `--base` cannot be used. */
export async function readBaselines(held: ProjectState, ref: string | null): Promise<Baselines> {
  const base = ref === null ? null : await stateAt(ref, held);
  if (base !== null && "problem" in base) throw new Stop(2, { problems: [baseProblem(base.problem)] });
  return { base, merged: await stateBeforeMerge(held) };
}

/** The state that the last run left in the output folder. */
export function lastState(folder: OutputFolder, plan: MigrationPlan, matrix: string | null): FormerState {
  return {
    base: null,
    snapshot: plan.before,
    renames: plan.renames,
    matrix,
    accountDeletion: folder.files.get(accountDeletionPath) ?? null,
    // Before the first run there was no API that could break.
    api: isFirstRun(folder)
      ? noApi
      : apiTexts(folder.files.get(documentPath) ?? null, folder.files.get(graphqlSchemaPath) ?? null),
  };
}

function apiTexts(document: string | null, graphql: string | null): ApiTexts | null {
  return document === null || graphql === null ? null : { document, graphql };
}

/**
 * The branch that another branch was merged into, after its last run: the merged files are a mix of both branches. It is HEAD during
 * the merge, and the parent of HEAD if the conflict marks were committed. Null without a merge, or if no lock has the checksum of
 * its matrix. If the lock has conflict marks, that of the commit counts too: git can merge the line of the matrix without a mark.
 */
async function stateBeforeMerge(held: ProjectState): Promise<Base | null> {
  if (held.folder.sides.length === 0 && held.history.rebased === null) return null;
  for (const commit of ["HEAD", "HEAD^"]) {
    const state = await stateAt(commit, held);
    if ("problem" in state || state.matrix === null) continue;
    const lock = parseLock((await textAt(held.root, held.out, commit, lockFile)) ?? "");
    const isCommitted = lock?.files.get(matrixPath)?.content === checksum(state.matrix);
    if ((isCommitted && held.folder.sides.length > 0) || isWrittenByRun(state.matrix, held.folder))
      return state;
  }
  return null;
}

/** The state at a commit, with all renames since, including those of this run. */
export function rebased(
  { undoSteps, newMigrations, edited: _, ...state }: Base,
  { migration }: MigrationPlan,
): FormerState {
  const planned = migration?.changes.map(({ step }) => step) ?? [];
  const steps = [...undoSteps, ...newMigrations.flatMap((entry) => entry.steps), ...planned];
  return { ...state, renames: rebasedRenames(state.snapshot.tables, steps) };
}

/** Reads the state at a commit, or returns a problem for the user. */
async function stateAt(ref: string, held: ProjectState): Promise<Base | { problem: string }> {
  const { root, out } = held;
  const files = await readBase(root, out, ref);
  if ("problem" in files) return files;
  const { schema, matrix, document, graphql, accountDeletion } = files;
  const snapshot = readSchema(schema);
  if (schema === null || matrix === null) {
    const missing = schema === null ? snapshotPath : matrixPath;
    return { problem: `${ref} has no ${out}/${missing}: the output folder is not committed there` };
  }
  if (snapshot === null) return { problem: `${out}/${snapshotPath} cannot be read at ${ref}` };
  const parting = await branchDiff(files, snapshot, held);
  if ("problem" in parting) return { problem: `${out}/ is inconsistent at ${ref}: ${parting.problem}` };
  const edited = await editedSince(files, root, held.customMigrations);
  const api = apiTexts(document, graphql);
  return { base: ref, snapshot, matrix, api, accountDeletion, ...parting, edited };
}

/** Reports a commit that a run cannot be compared with. */
function baseProblem(message: string): StopProblem {
  return {
    kind: "base",
    message,
    details: "",
    fix: "name a commit with --base whose output folder is committed, such as origin/main",
  };
}

/**
 * Files of custom SQL that were edited since a commit that has them in its chain. Their links in `generated/` are unchanged, but
 * databases that ran them refuse the edited SQL.
 */
async function editedSince(
  { commit, migrations }: BaseFiles,
  root: string,
  own: readonly CustomMigration[],
): Promise<string[]> {
  const there = new Set(migrations.map((file) => migrationAt(`migrations/${file}`)));
  const shared = own.filter(({ name }) => there.has(name));
  const texts = await Promise.all(shared.map(({ file }) => fileAtCommit(root, commit, file)));
  const former = readCustomMigrations(
    shared.flatMap(({ file }, index) => {
      const text = texts[index] ?? null;
      return text === null ? [] : [{ file, text, problem: null, invalid: null }];
    }),
  );
  const before = new Map(former.map((migration) => [migration.file, contentOf(migration)]));
  return shared
    .filter((migration) => before.has(migration.file) && before.get(migration.file) !== contentOf(migration))
    .map(({ file }) => file);
}

/** Null if the migration could not be read. */
function contentOf({ sql }: CustomMigration): string | null {
  return sql === null ? null : JSON.stringify(sqlChecksumInput(sql));
}
