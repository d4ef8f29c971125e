import { deletionEffects, deletionSentence } from "../definition/account-deletion.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import type { History } from "../migrations/read-history.ts";
import { tablesOf } from "../migrations/snapshot.ts";
import { accountDeletionPath, documentPath, graphqlSchemaPath, matrixPath } from "../output/output-files.ts";
import { type AccessChanges, accessChanges } from "./access/access-changes.ts";
import type { TableChanges } from "./access/model-pairs.ts";
import { type ModelReach, newReach } from "./access/new-reach.ts";
import { apiChanges } from "./api/breaking-changes.ts";
import type { BreakingChange } from "./api/findings.ts";
import type { FormerState } from "./baselines.ts";
import type { MigrationReport } from "./migration-report.ts";
import type { ReviewedRun } from "./reviewed-run.ts";
import { type SchemaChanges, schemaChanges } from "./schema-changes.ts";

/** The report of a run for reviewers, as data (`--json` prints it). */
export interface ReviewReport extends SchemaChanges, AccessChanges {
  /** The commit that the run is compared with; null for the last run. */
  readonly base: string | null;
  /** Changes of the API that callers notice; null if the former API is unknown. */
  readonly breaking: readonly BreakingChange[] | null;
  /** Changes of the API that break no request, but can surprise clients. */
  readonly worthKnowing: readonly BreakingChange[];
  /** Who can access the new models. */
  readonly newModels: readonly ModelReach[];
  /** New fields that everyone can read. */
  readonly openFields: readonly string[];
  /** What the deletion of an account does to rows of models, as a sentence; null if that has not changed. */
  readonly accountDeletion: string | null;
  /** Oldest first. The migration that this run adds comes last. */
  readonly migrations: readonly MigrationReport[];
  /** Files of custom SQL that were edited since the commit. */
  readonly editedMigrations: readonly string[];
  readonly history: HistoryReport;
  /** Paths relative to the output folder. */
  readonly files: {
    readonly written: readonly string[];
    readonly removed: readonly string[];
    readonly unchanged: number;
  };
}

/** Changes of the existing migrations. */
export interface HistoryReport {
  /** The error in `migrations/schema.json`, if it was derived again from the migrations. */
  readonly derived: string | null;
  /**
   * Migrations that `--rebase` removed. `onto` is their new parent, and `by` their replacement, if there is one. `moved` is custom SQL
   * that has a new place in the chain.
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
  const { plan, history, changes } = run;
  const tables = tableChanges(run, former);
  const schema = schemaChanges(tables);
  const api = apiChanges(
    former.api,
    { document: run.texts.get(documentPath) ?? "", graphql: run.texts.get(graphqlSchemaPath) ?? "" },
    tables,
    former.matrix === null ? null : access.narrowed.rows,
  );
  return {
    base: former.base,
    ...access,
    breaking: api?.breaking ?? null,
    worthKnowing: api?.worthKnowing ?? [],
    ...schema,
    ...newReach(schema.models.added, schema.fields.added, matrixOf(run)),
    accountDeletion: accountDeletion(run, former),
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

function accountDeletion({ texts, definition }: ReviewedRun, former: FormerState): string | null {
  const text = texts.get(accountDeletionPath) ?? null;
  return text === former.accountDeletion ? null : deletionSentence(deletionEffects(definition.models));
}

/** The access that roles have gained and lost since a former state. */
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
