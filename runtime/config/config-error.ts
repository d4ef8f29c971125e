/** What is wrong with the manifest and the environment, all of it at once. The message is meant for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `the service cannot start with this configuration:\n${problems.map((line) => `  - ${line}`).join("\n")}`,
    );
    this.problems = problems;
  }
}
