import { readCommand } from "#cli/command-line";
import type { Command, CommandGroup } from "#cli/define-command";

/** The parsed words after the name of a command, or the message about them. */
export async function asked(
  command: Command | CommandGroup,
  words: readonly string[],
): Promise<{ readonly input?: unknown; readonly mistake?: string }> {
  const result = await readCommand("kirak it", command, words);
  if ("input" in result) return { input: result.input };
  return "mistake" in result ? { mistake: result.mistake } : {};
}
