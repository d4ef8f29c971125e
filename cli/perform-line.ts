import { answer } from "./answer.ts";
import { appFolder } from "./app-folder.ts";
import type { Asked } from "./command-line.ts";
import { commandTable, type Row } from "./command-table.ts";
import type { Ended } from "./define-command.ts";
import { invocationOf, programIn } from "./invocation.ts";
import { obstacleTo } from "./obstacle.ts";

/**
 * Does what a command line asks for, in the app that a folder is in. Gives the exit code; undefined where the command has set
 * it. What reads flags is loaded where there is something to read alone.
 */
export async function performLine([first, ...others]: readonly string[], folder: string): Ended {
  if (first === "--get-yargs-completions") return complete(others, folder);
  const isHelp = first === "help" && others[0] !== undefined;
  const [name, ...words] = isHelp ? [...others, "--help"] : [first, ...others];
  const row = commandTable.find((one) => one.name === name);
  const root = placeOf(row, folder, words);
  if (root !== null && root !== process.cwd()) process.chdir(root);
  const module = await row?.load();
  const quick = root === null ? null : ((await module?.atOnce?.(words, root)) ?? null);
  if (quick === true) return undefined;
  const { readCommand, readNoCommand } = await import("./command-line.ts");
  const command = quick ?? module?.command;
  const asked =
    row === undefined || command === undefined
      ? readNoCommand(name, programIn(process.env))
      : await readCommand(invocationOf(row.name, process.env), command, words);
  const obstacle = row !== undefined && "run" in asked ? await obstacleTo(row, root, folder) : null;
  return answer(obstacle === null ? asked : { ...obstacle, refusal: refusalOf(asked) }, root ?? folder);
}

function refusalOf(asked: Asked) {
  return "refusal" in asked ? asked.refusal : undefined;
}

/** As shells ask: the words begin with the name of the program. */
async function complete([, ...words]: readonly string[], folder: string): Ended {
  const { completions } = await import("./completion.ts");
  const found = await completions(words, folder);
  process.stdout.write(found.map((line) => `${line}\n`).join(""));
  return 0;
}

/**
 * The folder in which a command runs; null where it needs an app, and there is none. The process goes there, as npm has it do: code
 * of an app may go by the folder of its process.
 */
function placeOf(row: Row | undefined, folder: string, words: readonly string[]): string | null {
  if (row === undefined || row.where === "here") return folder;
  const isNamed = words.some((word) => word.split("=")[0] === row.placeFlag);
  return appFolder(folder) ?? (isNamed || row.where === "app-or-here" ? folder : null);
}
