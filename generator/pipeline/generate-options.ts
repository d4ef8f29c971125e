import type { CommandFlags } from "../diagnostics/command.ts";
/** What one run of the generator is asked to do. */
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
