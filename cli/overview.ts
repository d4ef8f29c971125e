import { helpWords, type ParsedLine, suggestionFor } from "./command-line.ts";
import { commandTable, type Row } from "./command-table.ts";
import { thisPackage } from "./this-package.ts";

const versionWords: readonly string[] = ["--version", "-v"];

const titles: Readonly<Record<Row["group"], string>> = {
  begin: "To begin",
  develop: "While you develop",
  operate: "To operate",
};

/**
 * Parses a line without a command: `kirak`, `kirak --help`, or a mistake. `program` is how the user called
 * kirak.
 */
export function readNoCommand(first = "--help", program = "kirak"): ParsedLine {
  if (helpWords.includes(first) || first === "help") return { text: overview() };
  if (versionWords.includes(first)) return { text: `${thisPackage().version}\n` };
  const fix = `\`${program} --help\` lists the commands`;
  if (first.startsWith("-")) return { mistake: `expected a command, got ${first}`, fix };
  const known = commandTable.map(({ name }) => name);
  return { mistake: `unknown command ${first}${suggestionFor([first], known)}`, fix };
}

/** The output of `kirak` without arguments. */
function overview(): string {
  const groups = Object.entries(titles).map(([group, title]) => {
    const rows = commandTable.filter((row) => row.group === group);
    return [`${title}:`, ...rows.map(lineOf)].join("\n");
  });
  return `kirak <command> [flags]

JSON models become a typed, reviewable Express server on PostgreSQL.

${groups.join("\n\n")}

Examples:
  npx kirak init my-app                  create an app in a new folder
  kirak generate                         after a change of models/: write generated/
  kirak migrate status                   list applied and pending migrations

\`kirak <command> --help\` shows its flags, examples and exit codes; \`kirak --version\` prints the version.
All commands: docs/cli.md of the package.
`;
}

function lineOf({ name, summary }: Row): string {
  return `  ${name.padEnd(14)} ${summary}`;
}
