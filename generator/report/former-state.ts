import { type ApiSurface, parseSurface, surfacePath } from "../api/surface.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import type { TableRename } from "../migrations/renames.ts";
import type { Snapshot } from "../migrations/schema.ts";
import { isSnapshot } from "../migrations/shapes.ts";
import { parsedJson } from "../parsed-json.ts";
import type { Changes } from "../write/changes.ts";
import type { OutputFolder } from "../write/output-folder.ts";
import { followedRenames } from "./followed-renames.ts";
import { formerMatrix, servesNothing } from "./former-access.ts";
import { readBase } from "./git-base.ts";
import type { ReadMigration } from "./migration-report.ts";

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

/** The state that the last run left in the output folder. `matrix` is the text that this run gives. */
export function lastState(
  folder: OutputFolder,
  plan: MigrationPlan,
  changes: Changes,
  matrix: string,
): FormerState {
  return {
    base: null,
    snapshot: plan.before,
    renames: plan.renames,
    matrix: formerMatrix(folder, changes, matrix),
    // Before the first run there was no API to break.
    surface: servesNothing(folder) ? {} : parseSurface(folder.files.get(surfacePath) ?? null),
  };
}

/** A state with the names that all migrations since gave, the one of this run included. */
export function followed(
  state: FormerState,
  since: readonly ReadMigration[],
  { migration }: MigrationPlan,
): FormerState {
  const planned = migration?.changes.map(({ step }) => step) ?? [];
  const steps = [...since.flatMap((entry) => entry.steps), ...planned];
  return { ...state, renames: followedRenames(state.snapshot.tables, steps) };
}

/** The state at a commit; words for the user where there is none. */
export async function stateAt(
  ref: string,
  { root, out }: { readonly root: string; readonly out: string },
): Promise<FormerState | { problem: string }> {
  const files = await readBase(root, out, ref);
  if ("problem" in files) return files;
  const { schema, matrix, surface } = files;
  const snapshot: unknown = parsedJson(schema ?? "");
  if (schema === null || matrix === null) {
    const missing = schema === null ? "migrations/schema.json" : "access-matrix.txt";
    return { problem: `${ref} has no ${out}/${missing}: nothing was generated and committed there` };
  }
  if (!isSnapshot(snapshot)) return { problem: `${out}/migrations/schema.json cannot be read at ${ref}` };
  return { base: ref, snapshot, renames: [], matrix, surface: parseSurface(surface) };
}
