import { readArguments } from "./command-arguments.ts";

export const usage = `usage: npm run migrate -- [command]
  up [--to <migration>] [--dry-run]
      applies what is pending, up to that migration; the command when none is named
  down [--to <migration>] [--dry-run] [--accept-data-loss]
      takes back the app's last migration, or all that came after that one; those of the service itself stay
  status [--json]
      shows which are applied
  verify [--json] [--strict]
      compares the database with what its migrations made; with --strict also fails on additions that do no harm
  baseline <migration> [--unverified]
      notes that migration, and those of the app before it, as applied without running them, where the tables are as
      they would have made them; with --unverified whatever the tables are like
--dry-run prints the SQL, and changes nothing.
`;

/** What `npm run migrate` is to do. */
export type MigrateCommand =
  | { readonly command: "up"; readonly to?: string; readonly dryRun: boolean }
  | {
      readonly command: "down";
      readonly to?: string;
      readonly dryRun: boolean;
      readonly acceptDataLoss: boolean;
    }
  | { readonly command: "status"; readonly json: boolean }
  | { readonly command: "verify"; readonly json: boolean; readonly strict: boolean }
  | { readonly command: "baseline"; readonly to: string; readonly unverified: boolean };

const flags = {
  to: { type: "string" },
  "dry-run": { type: "boolean" },
  "accept-data-loss": { type: "boolean" },
  json: { type: "boolean" },
  strict: { type: "boolean" },
  unverified: { type: "boolean" },
} as const;

const flagsOf: Readonly<Record<MigrateCommand["command"], readonly (keyof typeof flags)[]>> = {
  up: ["to", "dry-run"],
  down: ["to", "dry-run", "accept-data-loss"],
  status: ["json"],
  verify: ["json", "strict"],
  baseline: ["unverified"],
};

/** Reads the arguments; `wrong` says what is not understood. */
export function readMigrateArguments(args: readonly string[]): MigrateCommand | { readonly wrong: string } {
  const parsed = readArguments(args, { options: flags, allowPositionals: true });
  if ("wrong" in parsed) return parsed;
  const { values, positionals } = parsed;
  const [command = "up", to, ...rest] = positionals;
  if (!isCommand(command)) return { wrong: `unknown command ${command}` };
  const further = command === "baseline" ? rest[0] : to;
  if (further !== undefined) return { wrong: `${command} takes no word like ${further}` };
  const taken: readonly string[] = flagsOf[command];
  const stray = Object.keys(values).find((flag) => !taken.includes(flag));
  if (stray !== undefined) return { wrong: `${command} has no flag --${stray}` };
  if (command === "baseline")
    return to === undefined
      ? { wrong: "baseline needs the name of a migration" }
      : { command, to, unverified: values.unverified === true };
  if (command === "status") return { command, json: values.json === true };
  if (command === "verify") return { command, json: values.json === true, strict: values.strict === true };
  const range = { ...(values.to !== undefined && { to: values.to }), dryRun: values["dry-run"] === true };
  return command === "up"
    ? { command, ...range }
    : { command, ...range, acceptDataLoss: values["accept-data-loss"] === true };
}

function isCommand(text: string): text is MigrateCommand["command"] {
  return Object.hasOwn(flagsOf, text);
}
