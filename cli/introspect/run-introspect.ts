import { introspect } from "#generator/introspect/introspect";
import { nextStep } from "#generator/introspect/next-step";
import { leftovers, summary } from "#generator/introspect/print-outcome";
import { printRemarks } from "#generator/introspect/print-remarks";
import { shownPath } from "#generator/load/files";
import { ConfigError, readDatabaseUrl } from "#runtime/config/index";
import { CommandError, explain, loadEnvironment } from "#runtime/process/index";
import { baselineName } from "#vocabulary/migration-steps";
import type { IntrospectFlags } from "./introspect-flags.ts";
import { aboutUrl, foreignRemark, migratedProblem } from "./introspect-texts.ts";
import { readDatabase, withClient } from "./introspected-database.ts";
import { markBaseline } from "./mark.ts";

type ExitCode = 0 | 1 | 2 | 70;

/** Where the command prints: what it made, and what went wrong. */
export interface Output {
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** `kirak introspect` in a project. Gives the exit code. */
export async function runIntrospect(asked: IntrospectFlags, root: string, output: Output): Promise<ExitCode> {
  const flags = inProject(asked, root);
  try {
    const url = readDatabaseUrl(
      flags.url === null ? loadEnvironment(root) : { SERVICE_DATABASE_URL: flags.url },
    );
    if (url !== null) return await introspectUrl(url, flags, root, output);
    const message = "SERVICE_DATABASE_URL is not set: name the database there, or with --url\n";
    return end(output.complain, message, 2);
  } catch (error) {
    const text = explain(error);
    const users =
      error instanceof ConfigError ||
      error instanceof CommandError ||
      /^the database cannot be reached/.test(text);
    return end(output.complain, users ? `${aboutUrl(text, flags)}\n` : `${text}\n`, users ? 2 : 70);
  }
}

/** With paths as the generator has them. */
function inProject(flags: IntrospectFlags, root: string): IntrospectFlags {
  const { models, manifest, out } = flags;
  return {
    ...flags,
    models: shownPath(root, models),
    manifest: shownPath(root, manifest),
    out: shownPath(root, out),
  };
}

async function introspectUrl(
  url: string,
  flags: IntrospectFlags,
  root: string,
  output: Output,
): Promise<ExitCode> {
  const reading = await withClient(url, (client) => readDatabase(client, flags.schema));
  if ("refused" in reading) return end(output.complain, `${reading.refused}; nothing is written\n`, 2);
  const migrated = migratedProblem(reading, flags);
  if (migrated !== null) return end(output.complain, migrated, 1);
  const made = await introspect(reading.schema, { ...flags, root, name: reading.database });
  if ("problem" in made) {
    const { message, details, fix } = made.problem;
    return end(output.complain, `${message}\n${details}to go on: ${aboutUrl(fix, flags)}\n`, made.exitCode);
  }
  output.say(printRemarks(made.adoption.remarks) + foreignRemark(reading) + summary(made, flags));
  if (flags.dryRun) return end(output.say, leftovers(made, flags), 0);
  try {
    await markBaseline(url, made.baseline);
  } catch (error) {
    const fix = "see to that, then `npm run generate` and `npm run migrate -- baseline`";
    const message = `the baseline could not be marked as applied: ${aboutUrl(explain(error), flags)}\nto go on: ${fix}\n`;
    return end(output.complain, message, 1);
  }
  output.say(`marked ${baselineName} as applied in the database ${reading.database}\n`);
  output.say(leftovers(made, flags));
  const { text, exitCode } = await nextStep({ ...flags, root });
  return end(exitCode === 0 ? output.say : output.complain, text, exitCode);
}

function end(print: (text: string) => void, text: string, code: ExitCode): ExitCode {
  print(text);
  return code;
}
