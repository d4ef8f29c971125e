import { apiSurface } from "../emit/views/api-surface.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import type { History } from "../migrations/read-history.ts";
import { tablesOf } from "../migrations/snapshot.ts";
import { matrixPath } from "../output/output-files.ts";
import { type AccessChanges, accessChanges } from "./access/access-changes.ts";
import type { TableChanges } from "./access/model-pairs.ts";
import { type ModelReach, newReach } from "./access/new-reach.ts";
import { type BreakingChange, breakingChanges } from "./api/breaking-changes.ts";
import type { FormerState } from "./baselines.ts";
import type { MigrationReport } from "./migration-report.ts";
import type { ReviewedRun } from "./reviewed-run.ts";
import { type SchemaChanges, schemaChanges } from "./schema-changes.ts";

/** What a reviewer must know about a run, as data (`--json` prints it). */
export interface ReviewReport extends SchemaChanges, AccessChanges {
  /** The commit that it is compared with; null where that is the last run. */
  readonly base: string | null;
  /** Changes of the API that callers notice; null where the former API is not known. */
  readonly breaking: readonly BreakingChange[] | null;
  /** Who reaches the models that were added. */
  readonly newModels: readonly ModelReach[];
  /** Those of the added fields that everyone reads. */
  readonly openFields: readonly string[];
  /** Oldest first; the one that this run adds comes last. */
  readonly migrations: readonly MigrationReport[];
  /** Files of own SQL that say something else than at the commit, which had them already. */
  readonly editedMigrations: readonly string[];
  readonly history: HistoryReport;
  /** Paths relative to the output folder. */
  readonly files: {
    readonly written: readonly string[];
    readonly removed: readonly string[];
    readonly unchanged: number;
  };
}

/** What became of migrations that exist. */
export interface HistoryReport {
  /** What was wrong with `migrations/schema.json`, where it was derived from the migrations again. */
  readonly derived: string | null;
  /**
   * Migrations that `--rebase` took away, the one that they now are on, and what replaced them, if anything. `moved` are those of
   * own SQL, which have another place now.
   */
  readonly rebased: {
    readonly removed: readonly string[];
    readonly moved: readonly string[];
    readonly onto: string | null;
    readonly by: string | null;
  } | null;
}

/** Collects the report of a run. */
export function reportOf(
  run: ReviewedRun,
  former: FormerState,
  access: AccessChanges,
  migrations: readonly MigrationReport[],
): ReviewReport {
  const { definition, plan, history, changes } = run;
  const tables = tableChanges(run, former);
  const schema = schemaChanges(tables);
  const { surface } = former;
  return {
    base: former.base,
    ...access,
    breaking:
      surface === null ? null : breakingChanges(surface, apiSurface(definition), tables, access.narrowed),
    ...schema,
    ...newReach(schema.models.added, schema.fields.added, matrixOf(run)),
    migrations,
    editedMigrations: run.bases.base?.edited ?? [],
    history: historyReport(plan, history),
    files: {
      written: changes.written.map(({ path }) => path),
      removed: changes.removed.map(({ path }) => path),
      unchanged: changes.unchanged,
    },
  };
}

/** What roles reach more than in a former state, and less. */
export function accessSince(run: ReviewedRun, former: FormerState): AccessChanges {
  const matrices = { before: former.matrix, after: matrixOf(run) };
  return accessChanges(matrices, tableChanges(run, former), run.acknowledged);
}

function matrixOf({ texts }: ReviewedRun): string {
  return texts.get(matrixPath) ?? "";
}

function tableChanges({ definition }: ReviewedRun, { snapshot, renames }: FormerState): TableChanges {
  return { before: snapshot.tables, after: tablesOf(definition), renames };
}

function historyReport(plan: MigrationPlan, { names, derived, rebased }: History): HistoryReport {
  if (rebased === null) return { derived, rebased };
  const [onto, by] = [names.at(-1) ?? null, plan.migration?.name ?? null];
  const linked = new Set(plan.customLinks.map(({ name }) => name));
  const moved = rebased.removed.filter((name) => linked.has(name));
  const removed = rebased.removed.filter((name) => !linked.has(name));
  return { derived, rebased: { removed, moved, onto, by } };
}
