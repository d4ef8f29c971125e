import { readCommand } from "#cli/command-line";
import type { Command, CommandGroup } from "#cli/define-command";

/** The parsed words after the name of a command, or the message about them. */
export async function asked(
  command: Command | CommandGroup,
  words: readonly string[],
): Promise<{ readonly wanted?: unknown; readonly misuse?: string }> {
  const result = await readCommand("kirak it", command, words);
  if ("wanted" in result) return { wanted: result.wanted };
  return "misuse" in result ? { misuse: result.misuse } : {};
}
