import { sqlContent } from "../../vocabulary/migrations/sql-migration.ts";
import { Stop, type StopProblem } from "../diagnostics/stop.ts";
import { type ApiSurface, emptySurface, parseSurface } from "../emit/views/api-surface.ts";
import { type CustomMigration, readCustomMigrations } from "../load/read-custom-migrations.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import { rebasedRenames } from "../migrations/rebased-renames.ts";
import type { TableRename } from "../migrations/renames.ts";
import type { Snapshot } from "../migrations/schema.ts";
import { readSchema } from "../migrations/schema-file.ts";
import { matrixPath, migrationAt, snapshotPath, surfacePath } from "../output/output-files.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import { hasNoModels, isWrittenByRun } from "./access/former-access.ts";
import { type BranchDiff, branchDiff, type ProjectState } from "./branch-diff.ts";
import { type BaseFiles, fileAtCommit, readBase } from "./git-base.ts";

/** What a run is compared with: what the last one left, or a commit. */
export interface FormerState {
  /** The commit, as the user named it. */
  readonly base: string | null;
  readonly snapshot: Snapshot;
  readonly renames: readonly TableRename[];
  /** Text of `access-matrix.txt`; null where it cannot be known. */
  readonly matrix: string | null;
  /** Null where it is not known. */
  readonly surface: ApiSurface | null;
}

/** A commit that a run is compared with, and the migrations between. */
export interface Base extends Omit<FormerState, "renames">, BranchDiff {
  /** Files of own SQL that say something else there. */
  readonly edited: readonly string[];
}

/** Commits that a run is compared with next to the last run, where there are such. */
export interface Baselines {
  /** The one that the run names. */
  readonly base: Base | null;
  /** What a merge was made into. */
  readonly merged: Base | null;
}

/** Reads what a run is compared with from version control. Stops where it names a commit that shows nothing. */
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
    // Before the first run there was no API to break.
    surface: hasNoModels(folder) ? emptySurface : parseSurface(folder.files.get(surfacePath) ?? null),
  };
}

/**
 * The branch that another one was merged into, as its last run left it: a merge mixes files of both. That is HEAD while the
 * merge is under way; once someone committed its marks, the parent of that. Null without a merge, or where no lock
 * vouches for it.
 */
async function stateBeforeMerge(held: ProjectState): Promise<Base | null> {
  if (held.folder.sides.length === 0 && held.history.rebased === null) return null;
  for (const commit of ["HEAD", "HEAD^"]) {
    const state = await stateAt(commit, held);
    if (!("problem" in state) && isWrittenByRun(state.matrix ?? "", held.folder)) return state;
  }
  return null;
}

/** The state at a commit, with the names that migrations gave since, that of this run included. */
export function rebased(
  { undoSteps, newMigrations, edited: _, ...state }: Base,
  { migration }: MigrationPlan,
): FormerState {
  const planned = migration?.changes.map(({ step }) => step) ?? [];
  const steps = [...undoSteps, ...newMigrations.flatMap((entry) => entry.steps), ...planned];
  return { ...state, renames: rebasedRenames(state.snapshot.tables, steps) };
}

/** Reads the state at a commit; words for the user if it does not exist. */
async function stateAt(ref: string, held: ProjectState): Promise<Base | { problem: string }> {
  const { root, out } = held;
  const files = await readBase(root, out, ref);
  if ("problem" in files) return files;
  const { schema, matrix, surface } = files;
  const snapshot = readSchema(schema);
  if (schema === null || matrix === null) {
    const missing = schema === null ? snapshotPath : matrixPath;
    return { problem: `${ref} has no ${out}/${missing}: nothing was generated and committed there` };
  }
  if (snapshot === null) return { problem: `${out}/${snapshotPath} cannot be read at ${ref}` };
  const parting = await branchDiff(files, snapshot, held);
  if ("problem" in parting)
    return { problem: `${out}/ does not hold together at ${ref}: ${parting.problem}` };
  const edited = await editedSince(files, root, held.customMigrations);
  return { base: ref, snapshot, matrix, surface: parseSurface(surface), ...parting, edited };
}

/** A commit that nothing can be compared with. */
function baseProblem(message: string): StopProblem {
  return {
    kind: "base",
    message,
    details: "",
    fix: "name a commit with --base whose output folder is committed, such as origin/main",
  };
}

/**
 * Files of own SQL that say something else than at a commit which has them in its chain: their links are the same, and databases
 * that have them refuse the code.
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

/** Null where it cannot be read. */
function contentOf({ sql }: CustomMigration): string | null {
  return sql === null ? null : JSON.stringify(sqlContent(sql));
}
