import type { TableChanges } from "../access/model-pairs.ts";
import type { History } from "../migrations/history.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import type { StepClass } from "../migrations/schema.ts";
import type { Changes } from "../write/changes.ts";
import { type AccessChanges, accessChanges, type Matrices } from "./access-changes.ts";
import { type SchemaChanges, schemaChanges } from "./schema-changes.ts";

/** What a reviewer must know about a run, as data (`--json` prints it). */
export interface Report extends SchemaChanges, AccessChanges {
  readonly migration: MigrationReport | null;
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
  /** Migrations that `--rebase` took away, the one that they now stand on, and what replaced them, if anything. */
  readonly rebased: {
    readonly removed: readonly string[];
    readonly onto: string | null;
    readonly by: string | null;
  } | null;
}

export interface MigrationReport {
  readonly name: string;
  readonly steps: readonly { readonly id: string; readonly class: StepClass }[];
}

/** What a run is compared with, and what it gives. */
export interface Compared {
  readonly tables: TableChanges;
  readonly matrices: Matrices;
  /** Reasons of acknowledged access by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
}

/** Collects the report of a run. */
export function reportOf(
  plan: MigrationPlan,
  history: History,
  changes: Changes,
  compared: Compared,
): Report {
  const { migration } = plan;
  return {
    ...schemaChanges(compared.tables),
    ...accessChanges(compared.matrices, compared.tables, compared.acknowledged),
    migration:
      migration === null
        ? null
        : {
            name: migration.name,
            steps: migration.changes.map(({ id, class: kind }) => ({ id, class: kind })),
          },
    history: historyReport(plan, history),
    files: {
      written: changes.written.map(({ path }) => path),
      removed: changes.removed.map(({ path }) => path),
      unchanged: changes.unchanged,
    },
  };
}

function historyReport({ migration }: MigrationPlan, { names, derived, rebased }: History): HistoryReport {
  if (rebased === null) return { derived, rebased };
  const [onto, by] = [names.at(-1) ?? null, migration?.name ?? null];
  return { derived, rebased: { removed: rebased.removed, onto, by } };
}
