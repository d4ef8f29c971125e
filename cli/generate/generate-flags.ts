import type { Flags } from "#generator/cli/flags";
import { defaultPlaces } from "#generator/diagnostics/command";
import type { FlagTable, ParsedArgs } from "../define-command.ts";

/** The flags of `kirak generate`. */
export const generateFlags = {
  models: {
    type: "string",
    default: defaultPlaces.models,
    describe: "models file; *.models.json next to it are merged in",
  },
  manifest: { type: "string", default: defaultPlaces.manifest, describe: "manifest of the service" },
  out: { type: "string", default: defaultPlaces.out, describe: "folder to write" },
  check: {
    type: "boolean",
    describe: "write nothing; fail if generated/ is out of date (prints the diff) or if --lint fails",
  },
  lint: {
    type: "boolean",
    describe: "write nothing; fail on possible mistakes; --json prints SARIF",
  },
  watch: {
    type: "boolean",
    describe: "generate again after each change of models, manifest, hooks or routes",
  },
  "dry-run": { type: "boolean", describe: "write nothing; print what a run would do, with the diff" },
  "print-definition": { type: "boolean", describe: "print the resolved definition as JSON and stop" },
  json: { type: "boolean", describe: "print diagnostics and report as one JSON object" },
  force: { type: "boolean", describe: "overwrite generated files that were edited by hand" },
  "accept-destructive": {
    type: "string",
    array: true,
    describe: "accept a migration step that loses data, by its id; can be repeated",
  },
  base: { type: "string", describe: "compare with the folder at this commit, not with the last run" },
  report: {
    type: "string",
    choices: ["text", "markdown"],
    default: "text",
    describe: "format of the report; markdown is for a pull request",
  },
  "new-migration": {
    type: "string",
    describe:
      "create a file in models/migrations/ for custom SQL, named after its purpose, such as add_trigram",
  },
  rebase: {
    type: "string",
    array: true,
    describe:
      "derive a migration again, with all migrations that build on it: if no database has applied it, or after a merge of branches; can be repeated",
  },
} as const satisfies FlagTable;

/** Converts the parsed flags. */
export function readGenerateFlags(given: ParsedArgs<keyof typeof generateFlags>): Flags {
  return {
    models: given.value("models"),
    manifest: given.value("manifest"),
    out: given.value("out"),
    check: given.has("check"),
    lint: given.has("lint"),
    watch: given.has("watch"),
    dryRun: given.has("dry-run"),
    printDefinition: given.has("print-definition"),
    json: given.has("json"),
    force: given.has("force"),
    accepted: given.texts("accept-destructive"),
    rebase: given.texts("rebase"),
    base: given.text("base"),
    report: given.value("report") === "markdown" ? "markdown" : "text",
    newMigration: given.text("new-migration"),
  };
}

/** Why flags cannot be combined, or null. */
export function conflictIn(flags: Flags): string | null {
  const modes = modesOf(flags);
  if (modes.length > 1) return `${modes.map((name) => `--${name}`).join(" and ")} cannot be combined`;
  const [mode] = modes;
  if (flags.newMigration !== null && !/^[a-z][a-z0-9_]{0,59}$/.test(flags.newMigration))
    return `--new-migration takes a name such as add_trigram, not ${JSON.stringify(flags.newMigration)}`;
  if (flags.newMigration !== null && mode !== undefined)
    return `--new-migration and --${mode} cannot be combined`;
  if (flags.newMigration !== null && flags.json) return "--new-migration and --json cannot be combined";
  const idle = idleWithoutRun(flags);
  // These modes end before a comparison, so the flags have no effect.
  if ((mode === "lint" || mode === "print-definition") && idle.length > 0)
    return `--${mode} only reads the models: remove ${idle.join(", ")}`;
  if (flags.rebase.length > 0 && (mode === "check" || mode === "watch"))
    return `--rebase and --${mode} cannot be combined`;
  if (flags.json && flags.report === "markdown") return "--json and --report markdown cannot be combined";
  return null;
}

function modesOf({ check, lint, watch, dryRun, printDefinition }: Flags) {
  return [
    ...(check ? ["check"] : []),
    ...(lint ? ["lint"] : []),
    ...(watch ? ["watch"] : []),
    ...(dryRun ? ["dry-run"] : []),
    ...(printDefinition ? ["print-definition"] : []),
  ];
}

function idleWithoutRun({ base, force, accepted, rebase, report }: Flags): string[] {
  return [
    ...(base === null ? [] : ["--base"]),
    ...(force ? ["--force"] : []),
    ...(accepted.length === 0 ? [] : ["--accept-destructive"]),
    ...(rebase.length === 0 ? [] : ["--rebase"]),
    ...(report === "markdown" ? ["--report markdown"] : []),
  ];
}
