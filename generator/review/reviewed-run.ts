import type { ServiceDefinition } from "../definition/definition.ts";
import type { MigrationPlan } from "../migrations/plan.ts";
import type { History } from "../migrations/read-history.ts";
import type { Changes } from "../output/file-changes.ts";
import type { OutputFolder } from "../output/output-folder.ts";
import type { Baselines } from "./baselines.ts";

/** The data of a run before it writes files. */
export interface ReviewedRun {
  readonly definition: ServiceDefinition;
  /** Reasons of acknowledged access, by access id. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** The output folder as earlier runs left it. */
  readonly folder: OutputFolder;
  readonly history: History;
  readonly bases: Baselines;
  readonly plan: MigrationPlan;
  /** Ids of accepted destructive steps. */
  readonly accepted: readonly string[];
  /** The texts of all files of this run, by their paths in the output folder. */
  readonly texts: ReadonlyMap<string, string>;
  readonly changes: Changes;
}
