import yargs from "yargs";
import { usualPlaces } from "../diagnostics/command.ts";
import { notFlag, unknownFlag } from "./flag-texts.ts";

/** How the report is printed. */
export type ReportFormat = "text" | "markdown";

/** The flags of `npm run generate`. */
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
  /** What a migration of own SQL is called that is to be made; null where none is. */
  readonly newMigration: string | null;
}

/** The command line as asked for: flags, a text to print (`--help`), or what is wrong with it. */
export type Arguments = { readonly flags: Flags } | { readonly help: string } | { readonly error: string };

const path = { type: "string", requiresArg: true } as const;
const flag = { type: "boolean", default: false } as const;

const options = {
  models: {
    ...path,
    default: usualPlaces.models,
    describe: "models file; *.models.json beside it are merged in",
  },
  manifest: { ...path, default: usualPlaces.manifest, describe: "manifest of the service" },
  out: { ...path, default: usualPlaces.out, describe: "folder to write" },
  check: {
    ...flag,
    describe: "write nothing; fail when the folder is out of date, with the diff, or when --lint would",
  },
  lint: { ...flag, describe: "write nothing; fail on what works and may be a mistake; --json gives SARIF" },
  watch: { ...flag, describe: "generate again after each change of models, manifest, hooks or routes" },
  "dry-run": { ...flag, describe: "write nothing; print what a run would do" },
  "print-definition": { ...flag, describe: "print the resolved definition as JSON and stop" },
  json: { ...flag, describe: "print diagnostics and report as one JSON object" },
  force: { ...flag, describe: "overwrite generated files that were edited by hand" },
  "accept-destructive": {
    type: "string",
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: "accept a migration step that loses data, by its id; may be repeated",
  },
  base: { ...path, describe: "compare with the folder at this commit, not with the last run" },
  report: {
    type: "string",
    requiresArg: true,
    choices: ["text", "markdown"],
    default: "text",
    describe: "how the report is printed; markdown is for a pull request",
  },
  "new-migration": {
    ...path,
    describe:
      "make a file in models/migrations/ for SQL of your own, called by what it does, such as add_trigram",
  },
  rebase: {
    type: "string",
    array: true,
    nargs: 1,
    default: [] as string[],
    describe:
      "take a migration, and those that build on it, away and derive one anew: one that no database has, or one of two merged branches; may be repeated",
  },
} as const;

const switches = ["check", "lint", "watch", "dry-run", "print-definition", "json", "force"] as const;

const epilogue = `Exit codes:
  0   all is well
  1   the folder is out of date (--check), a finding (--check, --lint), a change needs an
      acknowledgement, or branches were merged whose migrations need --rebase
  2   invalid models, manifest, hooks or flags, an unknown step id, a file that cannot be written
  70  a bug of the generator, with its stack

The models file is the only thing to edit; generated/ is read in pull requests and never changed by hand.`;

/** Reads a command line, without the names of node and the script. */
export async function parseArguments(words: readonly string[]): Promise<Arguments> {
  const failures: string[] = [];
  const parser = yargs([...words])
    .scriptName("npm run generate --")
    .usage(
      "$0 [flags]\n\nTurns models/ into generated/: a typed Express server, its policies and its migrations.",
    )
    .options(options)
    .example("$0", "generate after a change of the models")
    .example("$0 --dry-run", "see what would change")
    .example("$0 --check", "fail in CI when somebody forgot to generate")
    .example("$0 --check --base origin/main --report markdown", "what a pull request changes")
    .example("$0 --accept-destructive drop_column:books.isbn", "drop a column on purpose")
    .epilogue(epilogue)
    .parserConfiguration({ "boolean-negation": false })
    .strictOptions()
    .demandCommand(0, 0)
    .version(false)
    .help(false)
    .option("help", { alias: "h", type: "boolean", describe: "show this text" })
    .wrap(100)
    .exitProcess(false)
    .fail((message) => {
      failures.push(message);
    });
  const misread = words.find(isOddSwitch);
  if (misread !== undefined) return { error: `${misread} is neither true nor false` };
  const parsed = await parser.parseAsync();
  if (parsed.help) return { help: await parser.getHelp() };
  const [failure] = failures;
  if (failure !== undefined) return { error: inWords(failure, parsed) };
  const repeated = (["models", "manifest", "out", "base", "report", "new-migration"] as const).find((name) =>
    Array.isArray(parsed[name]),
  );
  if (repeated !== undefined) return { error: `--${repeated} stands twice` };
  const newMigration = parsed["new-migration"] ?? null;
  const conflict = conflictIn({ ...parsed, base: parsed.base ?? null, newMigration });
  if (conflict !== null) return { error: conflict };
  return {
    flags: {
      ...parsed,
      base: parsed.base ?? null,
      report: parsed.report === "markdown" ? "markdown" : "text",
      dryRun: parsed["dry-run"],
      printDefinition: parsed["print-definition"],
      accepted: parsed["accept-destructive"],
      newMigration,
    },
  };
}

/** The flags that do not go with all others, as yargs calls them. */
interface Combined
  extends Pick<Flags, "check" | "lint" | "watch" | "json" | "force" | "base" | "rebase" | "newMigration"> {
  readonly "dry-run": boolean;
  readonly "print-definition": boolean;
  readonly "accept-destructive": readonly string[];
  readonly report: string;
}

/** What keeps flags from standing together, in words, or null. */
function conflictIn(flags: Combined): string | null {
  const modes = (["check", "lint", "watch", "dry-run", "print-definition"] as const).filter(
    (name) => flags[name],
  );
  if (modes.length > 1) return `${modes.map((name) => `--${name}`).join(" and ")} exclude each other`;
  const [mode] = modes;
  if (flags.newMigration !== null && !/^[a-z][a-z0-9_]{0,59}$/.test(flags.newMigration))
    return `--new-migration takes a name such as add_trigram, not ${JSON.stringify(flags.newMigration)}`;
  if (flags.newMigration !== null && mode !== undefined)
    return `--new-migration and --${mode} exclude each other`;
  if (flags.newMigration !== null && flags.json) return "--new-migration and --json exclude each other";
  const idle = [
    ...(flags.base === null ? [] : ["--base"]),
    ...(flags.force ? ["--force"] : []),
    ...(flags["accept-destructive"].length === 0 ? [] : ["--accept-destructive"]),
    ...(flags.rebase.length === 0 ? [] : ["--rebase"]),
    ...(flags.report === "markdown" ? ["--report markdown"] : []),
  ];
  // These end before there is anything to compare, accept or report.
  if ((mode === "lint" || mode === "print-definition") && idle.length > 0)
    return `--${mode} only reads the models: leave ${idle.join(", ")} out`;
  if (flags.rebase.length > 0 && (mode === "check" || mode === "watch"))
    return `--rebase and --${mode} exclude each other`;
  if (flags.json && flags.report === "markdown") return "--json and --report markdown exclude each other";
  return null;
}

/** `--check=yes`: yargs would read it as false, and a run that shall only look would write. */
function isOddSwitch(word: string): boolean {
  const [, name = "", value] = /^--?([^=]+)=(.*)$/s.exec(word) ?? [];
  const known: readonly string[] = [...switches, "dryRun", "printDefinition", "h", "help"];
  return value !== undefined && known.includes(name) && value !== "true" && value !== "false";
}

/** What yargs says of the command line, in our words, with the flag that was probably meant. */
function inWords(
  message: string,
  given: { readonly _: readonly (string | number)[]; report?: unknown },
): string {
  const known = [...Object.keys(options), "help"];
  const [, empty] = /^Not enough arguments following: (.*)$/.exec(message) ?? [];
  if (empty !== undefined) return `--${empty} needs a value`;
  if (message.startsWith("Too many non-option arguments"))
    return given._.map((word) => notFlag(String(word), known)).join("\n");
  if (message.startsWith("Invalid values:"))
    return `--report is ${options.report.choices.join(" or ")}, not ${JSON.stringify(given.report)}`;
  const [, words] = /^Unknown arguments?: (.*)$/.exec(message) ?? [];
  if (words === undefined) return message;
  const unknown = [...new Set(words.split(", "))].filter((word) => !/[A-Z]/.test(word));
  return unknown.map((word) => unknownFlag(`--${word}`, known)).join("\n");
}
