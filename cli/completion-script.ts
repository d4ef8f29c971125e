import yargs from "yargs";

/** Prints the script for a shell, or for the one of the environment, to standard output. */
export function printCompletionScript(shell: string | null): void {
  // Which one it is yargs takes from there alone.
  if (shell !== null) process.env["SHELL"] = shell;
  yargs([]).scriptName("kirak").locale("en").completion("completion").showCompletionScript();
}
