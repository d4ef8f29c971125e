/** How the report is printed. */
export type ReportFormat = "text" | "markdown";

/** The options of a run. Paths are relative to its folder. */
export interface Flags {
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
  readonly check: boolean;
  readonly lint: boolean;
  readonly watch: boolean;
  readonly dryRun: boolean;
  readonly printDefinition: boolean;
  readonly json: boolean;
  readonly force: boolean;
  readonly accepted: readonly string[];
  readonly rebase: readonly string[];
  readonly base: string | null;
  readonly report: ReportFormat;
  /** The name of a new custom SQL migration; null for none. */
  readonly newMigration: string | null;
}
