import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandTable } from "#cli/command-table";
import type { Command, CommandGroup, CommandHelp, Flag } from "#cli/define-command";

const path = join(import.meta.dirname, "..", "..", "docs", "cli.md");
const title = "## Commands\n";

/** Text of a row of a table. */
const cell = (text: string) => text.replaceAll("|", "\\|");

function flagRow([name, { describe, choices, default: usual, type }]: [string, Flag]): string {
  const value = type === "boolean" ? "" : choices === undefined ? ` <${type}>` : ` <${choices.join("\\|")}>`;
  return `| \`--${name}${value}\` | ${cell(describe)}${usual === undefined ? "" : `; default \`${usual}\``} |`;
}

function tableOf({ flags, word, secondWord }: Command): string[] {
  const rows = [
    ...[word, secondWord].flatMap((one) => (one ? [`| \`<${one.name}>\` | ${cell(one.describe)} |`] : [])),
    ...Object.entries(flags).map(flagRow),
  ];
  return rows.length === 0 ? [] : [["| | |", "|---|---|", ...rows].join("\n")];
}

function toldOf(line: string, { examples, exitCodes, more }: CommandHelp): string[] {
  const widest = Math.max(...examples.map(([words]) => `${line} ${words}`.trimEnd().length));
  const lines = examples.map(([words, what]) => `${`${line} ${words}`.trimEnd().padEnd(widest)}  # ${what}`);
  const codes = Object.entries(exitCodes).map(([code, what]) => `- **${code}** ${what}`);
  return [
    `\`\`\`sh\n${lines.join("\n")}\n\`\`\``,
    `Exit codes:\n\n${codes.join("\n")}`,
    ...(more === undefined ? [] : [more.includes("\n") ? `\`\`\`\n${more}\n\`\`\`` : more]),
  ];
}

function sectionOf(heading: string, line: string, command: Command | CommandGroup): string[] {
  if (!("commands" in command))
    return [`${heading} ${line}`, command.about, ...tableOf(command), ...toldOf(line, command)];
  const below = Object.entries(command.commands).flatMap(([name, one]) =>
    sectionOf(`${heading}#`, `${line} ${name}`, one.command),
  );
  const usual = `Without a further word it is \`${line} ${command.usual}\`.`;
  return [`${heading} ${line}`, `${command.about} ${usual}`, ...below];
}

// UPDATE_GOLDENS=1 writes it again.
test("docs/cli.md has all commands with their flags, examples and exit codes, as the tables have them", async () => {
  const modules = await Promise.all(commandTable.map(async (row) => ({ row, ...(await row.load()) })));
  const sections = modules.flatMap(({ row, command }) => sectionOf("###", `kirak ${row.name}`, command));
  const text = readFileSync(path, "utf8");
  const wanted = `${text.slice(0, text.indexOf(title))}${title}\n${sections.join("\n\n")}\n`;
  if (process.env["UPDATE_GOLDENS"] === "1") writeFileSync(path, wanted);
  expect(readFileSync(path, "utf8")).toBe(wanted);
});
