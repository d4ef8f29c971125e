import yargs from "yargs";
import { appFolder } from "./app-folder.ts";
import { commandTable } from "./command-table.ts";
import type { Command, CommandGroup, Flag } from "./define-command.ts";
import { completionsOf } from "./parser.ts";

/** What may come next in the words after `kirak`, as a shell asks for it; the last one is being typed. */
export async function completions(words: readonly string[], folder: string): Promise<readonly string[]> {
  const [name = "", ...rest] = words;
  const row = commandTable.find((one) => one.name === name);
  if (rest.length === 0 || row === undefined)
    return rest.length === 0
      ? named(
          words,
          commandTable.map((one) => [one.name, one.summary]),
        )
      : [];
  const { command } = await row.load();
  return ofCommand(command, rest, appFolder(folder) ?? folder);
}

async function ofCommand(
  command: Command | CommandGroup,
  words: readonly string[],
  root: string,
): Promise<readonly string[]> {
  if (!("commands" in command)) return ofLeaf(command, words, root);
  const [first = "", ...rest] = words;
  const chosen = command.commands[Object.hasOwn(command.commands, first) ? first : command.usual];
  if (rest.length > 0 || first.startsWith("-"))
    return chosen === undefined ? [] : ofLeaf(chosen.command, first.startsWith("-") ? words : rest, root);
  return named(
    words,
    Object.entries(command.commands).map(([name, { summary }]) => [name, summary]),
  );
}

async function ofLeaf(command: Command, words: readonly string[], root: string): Promise<readonly string[]> {
  const { flags, word, candidates } = command;
  const known = candidates?.(root) ?? {};
  const offered = Object.entries(flags).map(([name, flag]): [string, Flag] => {
    const choices = known[name];
    return [name, choices === undefined ? flag : { ...flag, choices }];
  });
  const found = await completionsOf(words, { ...command, flags: Object.fromEntries(offered) });
  const [last = "", before = ""] = [...words].reverse();
  const isWord = word !== undefined && !last.startsWith("-") && !before.startsWith("-");
  return isWord ? [...(known[word.name] ?? []), ...found] : found;
}

/** Names with what they are, in the form that the shell takes. */
function named(
  words: readonly string[],
  rows: readonly (readonly [name: string, summary: string])[],
): Promise<readonly string[]> {
  const parser = yargs([]).scriptName("kirak").locale("en").help(false).version(false);
  for (const [name, summary] of rows) parser.command(name, summary);
  return parser.getCompletion([...words]);
}
