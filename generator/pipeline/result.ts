import type { ServiceDefinition } from "../definition/definition.ts";
import type { CommandFlags } from "../diagnostics/command.ts";
import type { Diagnostic, SilencedDiagnostic, Sources } from "../diagnostics/index.ts";
import type { StopProblem } from "../diagnostics/stop.ts";
import type { CustomMigration } from "../load/read-custom-migrations.ts";
import type { ReviewReport } from "../review/report.ts";

/** The options of a run. */
export interface GenerateOptions extends CommandFlags {
  /** The project: all other paths are relative to it. */
  readonly root: string;
  /**
   * `check` and `preview` write nothing; `check` counts every difference as a problem, and what `lint` finds. `lint` and
   * `definition` end as soon as there is a definition.
   */
  readonly mode: "write" | "check" | "preview" | "definition" | "lint";
  /** False leaves out the compile check, for callers that do it themselves. */
  readonly compile: boolean;
}

/** The definition of a service, and the problems of its files. */
export interface ReadResult {
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings that the files silence with a reason. */
  readonly silenced: readonly SilencedDiagnostic[];
  /** Null when there is an error; warnings leave it. */
  readonly definition: ServiceDefinition | null;
  /** The files read, relative to the project. Those that are missing but wanted are among them. */
  readonly inputs: readonly string[];
  /** Of what the models say. */
  readonly modelsChecksum: string;
  /** The user's files by path, for the frames of diagnostics. */
  readonly sources: Sources;
  /** Migrations of own SQL. */
  readonly customMigrations: readonly CustomMigration[];
  /** Reasons of acknowledged access by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
}

/** The result of a run. */
export interface GenerateResult extends ReadResult {
  /** 0 all is well, 1 drift or a change that needs an acknowledgement, 2 invalid input. */
  readonly exitCode: 0 | 1 | 2;
  readonly problems: readonly StopProblem[];
  readonly report: ReviewReport | null;
  /** A preview's unified diff of the output folder; empty in another mode, and where nothing would be written. */
  readonly diff: string;
}
