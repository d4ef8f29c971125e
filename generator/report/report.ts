import type { MigrationPlan } from "../migrations/plan.ts";
import type { StepClass } from "../migrations/schema.ts";
import type { Changes } from "../write/changes.ts";
import { type AccessChanges, accessChanges } from "./access-changes.ts";
import { type SchemaChanges, schemaChanges } from "./schema-changes.ts";

/** What a reviewer must know about a run, as data (`--json` prints it). */
export interface Report extends SchemaChanges, AccessChanges {
  readonly migration: MigrationReport | null;
  /** Paths relative to the output folder. */
  readonly files: {
    readonly written: readonly string[];
    readonly removed: readonly string[];
    readonly unchanged: number;
  };
}

export interface MigrationReport {
  readonly name: string;
  readonly steps: readonly { readonly id: string; readonly class: StepClass }[];
}

/** Collects the report of a run. The matrices are the texts of `access-matrix.txt` before and after it. */
export function reportOf(plan: MigrationPlan, changes: Changes, matrices: readonly [string, string]): Report {
  const { migration } = plan;
  return {
    ...schemaChanges(plan),
    ...accessChanges(...matrices, plan),
    migration:
      migration === null
        ? null
        : {
            name: migration.name,
            steps: migration.changes.map(({ id, class: kind }) => ({ id, class: kind })),
          },
    files: {
      written: changes.written.map(({ path }) => path),
      removed: changes.removed.map(({ path }) => path),
      unchanged: changes.unchanged,
    },
  };
}
