import { readCommand } from "#cli/command-line";
import type { Command, CommandGroup } from "#cli/define-command";

/** What words after the name of a command ask for, or what is said of them. */
export async function asked(
  command: Command | CommandGroup,
  words: readonly string[],
): Promise<{ readonly wanted?: unknown; readonly misuse?: string }> {
  const result = await readCommand("kirak it", command, words);
  if ("wanted" in result) return { wanted: result.wanted };
  return "misuse" in result ? { misuse: result.misuse } : {};
}
