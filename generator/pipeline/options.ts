/** What one run of the generator is asked to do. */
export interface GenerateOptions {
  /** The project: all other paths are relative to it. */
  readonly root: string;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  /**
   * `check` and `preview` write nothing; `check` counts every difference as a problem, and what `lint` finds. `lint` and
   * `definition` end as soon as there is a definition.
   */
  readonly mode: "write" | "check" | "preview" | "definition" | "lint";
  /** Overwrite files that were edited by hand. */
  readonly force: boolean;
  /** Ids of destructive steps that somebody has accepted. */
  readonly accepted: readonly string[];
  /** Migrations to derive anew, with all that build on them. */
  readonly rebase: readonly string[];
  /** A commit to compare with, instead of the last run. */
  readonly base: string | null;
  /** False leaves out the compile check, for callers that do it themselves. */
  readonly compile: boolean;
}
