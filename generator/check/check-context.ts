import type { ReportDiagnostic, Sources } from "../diagnostics/index.ts";
import type { RawError, RawManifest, RawModel, RawRoute } from "../load/raw.ts";
import type { CustomMigration } from "../load/read-custom-migrations.ts";
import type { ModelHooks } from "../load/read-hooks.ts";
import type { RawJobs } from "../load/read-jobs.ts";
import type { RawMails } from "../load/read-mails.ts";
import type { ModelGraph } from "../resolve/model-graph.ts";

/** The input of the checks. */
export interface CheckContext {
  readonly models: readonly RawModel[];
  readonly graph: ModelGraph;
  /** Null when the manifest could not be read. */
  readonly manifest: RawManifest | null;
  /** Custom errors. */
  readonly errors: readonly RawError[];
  readonly mails: RawMails;
  readonly jobs: RawJobs;
  /** Names of the files in the folder `hooks`, without `.ts`. */
  readonly hooks: ReadonlyMap<string, string>;
  /** Files in that folder that are not read as hooks. */
  readonly strayHooks: readonly string[];
  /** The exports of the hook files of models. */
  readonly modelHooks: ModelHooks;
  /** Custom routes. */
  readonly routes: readonly RawRoute[];
  /** Files in the routes folder that are not read as routes. */
  readonly strayRoutes: readonly string[];
  readonly customMigrations: readonly CustomMigration[];
  /** Files in the migrations folder that are not migrations. */
  readonly strayMigrations: readonly string[];
  readonly sources: Sources;
  readonly report: ReportDiagnostic;
}
