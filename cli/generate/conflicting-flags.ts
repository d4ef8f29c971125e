import type { Flags } from "#generator/cli/flags";

/** What keeps flags from standing together, in words, or null. */
export function conflictIn(flags: Flags): string | null {
  const modes = modesOf(flags);
  if (modes.length > 1) return `${modes.map((name) => `--${name}`).join(" and ")} exclude each other`;
  const [mode] = modes;
  if (flags.newMigration !== null && !/^[a-z][a-z0-9_]{0,59}$/.test(flags.newMigration))
    return `--new-migration takes a name such as add_trigram, not ${JSON.stringify(flags.newMigration)}`;
  if (flags.newMigration !== null && mode !== undefined)
    return `--new-migration and --${mode} exclude each other`;
  if (flags.newMigration !== null && flags.json) return "--new-migration and --json exclude each other";
  const idle = idleWithoutRun(flags);
  // These end before there is anything to compare, accept or report.
  if ((mode === "lint" || mode === "print-definition") && idle.length > 0)
    return `--${mode} only reads the models: leave ${idle.join(", ")} out`;
  if (flags.rebase.length > 0 && (mode === "check" || mode === "watch"))
    return `--rebase and --${mode} exclude each other`;
  if (flags.json && flags.report === "markdown") return "--json and --report markdown exclude each other";
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
