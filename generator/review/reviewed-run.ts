import type { ServiceDefinition } from "../definition/definition.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import type { History } from "../migrations/read-history.ts";
import type { Changes } from "../output/file-changes.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import type { Baselines } from "./baselines.ts";

/** All that a run knows before it writes. */
export interface ReviewedRun {
  readonly definition: ServiceDefinition;
  /** Reasons of acknowledged access by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** What earlier runs left. */
  readonly folder: OutputFolder;
  readonly history: History;
  readonly bases: Baselines;
  readonly plan: MigrationPlan;
  /** Ids of destructive steps that someone has accepted. */
  readonly accepted: readonly string[];
  /** The texts of all files that it gives, by their paths in the output folder. */
  readonly texts: ReadonlyMap<string, string>;
  readonly changes: Changes;
}
