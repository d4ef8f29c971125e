/** What is wrong with the manifest and the environment, all of it at once. The message is meant for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  /** What else the operator should know: often why there is a problem, such as a mistyped variable. */
  readonly warnings: readonly string[];

  constructor(problems: readonly string[], warnings: readonly string[]) {
    const lines = [...problems, ...warnings.map((warning) => `warning: ${warning}`)];
    super(
      `the service cannot start with this configuration:\n${lines.map((line) => `  - ${line}`).join("\n")}`,
    );
    this.problems = problems;
    this.warnings = warnings;
  }
}
