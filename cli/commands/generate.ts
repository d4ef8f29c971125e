import { flagsFailure } from "#generator/cli/failure-text";
import { defineCommand } from "../define-command.ts";
import { conflictIn, generateFlags, readGenerateFlags } from "../generate/generate-flags.ts";

/** `kirak generate`. */
export const command = defineCommand({
  about: "Turns models/ into generated/: a typed Express server, its policies and its migrations.",
  flags: generateFlags,
  examples: [
    ["", "generate after a change of the models"],
    ["--dry-run", "see what would change"],
    ["--check", "fail in CI if generated/ is out of date"],
    ["--check --base origin/main --report markdown", "see what a pull request changes"],
    ["--accept-destructive drop_column:books.isbn", "drop a column on purpose"],
    ["--new-migration add_trigram", "start a migration with custom SQL"],
  ],
  exitCodes: {
    0: "success",
    1: "generated/ is out of date (--check), there is a finding (--check, --lint), a change needs an acknowledgement, or merged migrations need --rebase",
    2: "invalid models, manifest, hooks or flags, an unknown step id, a file that cannot be written",
    70: "a bug of the generator, with its stack",
  },
  more: "Edit the models; review generated/ in pull requests, and never change it by hand.",
  read: readGenerateFlags,
  problem: conflictIn,
  refusal: flagsFailure,
  async run(flags, root) {
    const { runGenerator } = await import("#generator/cli/program");
    await runGenerator(flags, root);
    return undefined;
  },
});
