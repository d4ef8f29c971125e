import { renderDiagnostics } from "../../generator/diagnostics/index.ts";
import { generate } from "../../generator/generate.ts";
import { baselineName } from "../../generator/introspect/baseline.ts";
import { type Introspection, introspect } from "../../generator/introspect/introspect.ts";
import { printRemarks } from "../../generator/introspect/print.ts";
import { ConfigError, readDatabaseUrl } from "../../runtime/config/index.ts";
import { explain } from "../../runtime/process/failure.ts";
import { loadEnvironment } from "../../runtime/process/run.ts";
import { type Flags, parseFlags, usage } from "./arguments.ts";
import { type Reading, readDatabase, withClient } from "./database.ts";
import { markBaseline } from "./mark.ts";

type ExitCode = 0 | 1 | 2 | 70;
type Made = Exclude<Introspection, { readonly problem: unknown }>;
type Read = Exclude<Reading, { readonly refused: string }>;

/** `npm run introspect`. Gives the exit code. */
export async function runIntrospect(words: readonly string[], root: string): Promise<ExitCode> {
  const flags = parseFlags(words, root);
  if (flags === "help") return say(0, usage);
  if ("error" in flags) return complain(2, `${flags.error}\n\n${usage}`);
  try {
    const url = flags.url ?? readDatabaseUrl(loadEnvironment(root));
    if (url === null)
      return complain(2, "SERVICE_DATABASE_URL is not set: name the database there, or with --url\n");
    return await introspectUrl(url, flags, root);
  } catch (error) {
    if (error instanceof ConfigError) return complain(2, `${error.message}\n`);
    const text = explain(error);
    const known = /^the database cannot be reached/.test(text);
    return complain(known ? 2 : 70, `${text}\n`);
  }
}

async function introspectUrl(url: string, flags: Flags, root: string): Promise<ExitCode> {
  const reading = await withClient(url, (client) => readDatabase(client, flags.schema));
  if ("refused" in reading) return complain(2, `${reading.refused}; nothing is written\n`);
  const migrated = migratedProblem(reading, flags);
  if (migrated !== null) return complain(1, migrated);
  const made = await introspect(reading.schema, { ...flags, root, name: reading.database });
  if ("problem" in made) {
    const { message, details, fix } = made.problem;
    return complain(made.exitCode, `${message}\n${details}to go on: ${fix}\n`);
  }
  say(0, printRemarks(made.adoption.remarks) + foreignRemark(reading) + summary(made, flags));
  if (flags.dryRun) return 0;
  try {
    await markBaseline(url, made.baseline);
  } catch (error) {
    const fix = "see to that, then mark the migration with `npm run migrate -- baseline`";
    return complain(1, `the baseline could not be marked as applied: ${explain(error)}\nto go on: ${fix}\n`);
  }
  say(0, `marked ${baselineName} as applied in the database ${reading.database}\n`);
  return nextStep(flags, root);
}

/** A database with a history of its own has models somewhere. */
function migratedProblem({ history, database }: Read, { force }: Flags): string | null {
  const [first, second] = history;
  if (first === undefined || (force && first === baselineName && second === undefined)) return null;
  const fix =
    first === baselineName && second === undefined
      ? "introspect once more with --force"
      : "its models are in the project that migrated it: use those";
  return `the database ${database} has migrations already (${history.join(", ")}), and nothing is written\nto go on: ${fix}\n`;
}

function foreignRemark({ role, foreign }: Read): string {
  if (foreign.length === 0) return "";
  return `the role ${role} does not own ${foreign.join(", ")}: THE NEXT MIGRATION FAILS until it does (ALTER TABLE … OWNER TO ${role})\n`;
}

function summary({ adoption, written, removed }: Made, { dryRun }: Flags): string {
  const models = Object.keys(adoption.models).length;
  const verb = dryRun ? "would write" : "wrote";
  const gone =
    removed.length === 0 ? "" : `, ${dryRun ? "and remove" : "removed"} ${removed.length} generated files`;
  return `${models === 1 ? "1 model" : `${models} models`}: ${verb} ${written.join(", ")}${gone}\n`;
}

/** What `npm run generate` will ask for. */
async function nextStep(flags: Flags, root: string): Promise<ExitCode> {
  const { diagnostics, sources, problems, exitCode } = await generate({
    ...flags,
    ...{ root, mode: "preview", force: false, accepted: [], rebase: [], compile: false },
  });
  if (exitCode === 2) return complain(2, `${renderDiagnostics(diagnostics, sources)}\n`);
  if (diagnostics.length > 0) say(0, `${renderDiagnostics(diagnostics, sources)}\n`);
  const [problem] = problems;
  if (problem === undefined) return say(0, "next: npm run generate\n");
  return say(0, `${problem.message}\n${problem.details}next, once you have read that: ${problem.fix}\n`);
}

function say(code: ExitCode, text: string): ExitCode {
  process.stdout.write(text);
  return code;
}

function complain(code: ExitCode, text: string): ExitCode {
  process.stderr.write(text);
  return code;
}
