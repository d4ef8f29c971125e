import { commandTable, type Row } from "./command-table.ts";

const titles: Readonly<Record<Row["group"], string>> = {
  begin: "To begin",
  develop: "While you develop",
  operate: "To operate",
};

/** What `kirak` by itself prints. */
export function overview(): string {
  const groups = Object.entries(titles).map(([group, title]) => {
    const rows = commandTable.filter((row) => row.group === group);
    return [`${title}:`, ...rows.map(lineOf)].join("\n");
  });
  return `kirak <command> [flags]

JSON models become a typed, reviewable Express server on PostgreSQL.

${groups.join("\n\n")}

Examples:
  npx kirak init my-app                  make an app, in a folder of its own
  kirak generate                         after a change of models/: write generated/
  kirak migrate status                   which migrations the database has

\`kirak <command> --help\` tells of each with its flags, examples and exit codes, \`kirak --version\` which one this is.
All commands: docs/cli.md of the package.
`;
}

function lineOf({ name, summary }: Row): string {
  return `  ${name.padEnd(14)} ${summary}`;
}
