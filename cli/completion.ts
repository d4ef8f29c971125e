import { appFolder } from "./app-folder.ts";
import { begin, completing, signature } from "./command-line.ts";
import { commandTable } from "./command-table.ts";

/** Prints completions for a shell. `words` are the words after `kirak`; the last one is incomplete. */
export async function complete(words: readonly string[], folder: string): Promise<void> {
  const chosen = words.length > 1 ? commandTable.find(({ name }) => name === words[0]) : undefined;
  const command = (await chosen?.load())?.command;
  const root = appFolder(folder) ?? folder;
  const parser = begin("kirak").completion("completion", false);
  for (const row of commandTable)
    if (row === chosen && command !== undefined)
      parser.command(signature(row.name, command), row.summary, (inner) =>
        completing(inner, command, root, words),
      );
    else parser.command(row.name, row.summary);
  await parser.parseAsync(["--get-yargs-completions", "kirak", ...words]);
}
