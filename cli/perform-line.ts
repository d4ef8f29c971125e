import { appFolder } from "./app-folder.ts";
import { commandTable, type Row } from "./command-table.ts";
import type { Ended } from "./define-command.ts";
import { invocationOf } from "./invocation.ts";

/**
 * Does what a command line asks for, in the app that a folder is in. Gives the exit code; undefined where the command has set
 * it. What reads flags is loaded where there is something to read alone.
 */
export async function performLine([first, ...others]: readonly string[], folder: string): Ended {
  const isHelp = first === "help" && others[0] !== undefined;
  const [name, ...words] = isHelp ? [...others, "--help"] : [first, ...others];
  const row = commandTable.find((one) => one.name === name);
  const root = placeOf(row, folder);
  if (root !== null) enter(root);
  const module = await row?.load();
  const quick = root === null ? null : ((await module?.atOnce?.(words, root)) ?? null);
  if (quick === true) return undefined;
  const { readCommand, readNoCommand } = await import("./command-line.ts");
  const command = quick ?? module?.command;
  const asked =
    row === undefined || command === undefined
      ? readNoCommand(name)
      : await readCommand(invocationOf(row.name, process.env), command, words);
  if ("text" in asked) return print(asked.text, 0);
  if ("misuse" in asked) {
    const { misuse, fix, refusal } = asked;
    return refusal === undefined ? complain(`${misuse}\n${fix}`) : print(refusal(misuse, fix), 2);
  }
  return root === null ? complain(noApp(folder)) : asked.run(root);
}

/** The folder in which a command runs; null where it needs an app, and there is none. */
function placeOf(row: Row | undefined, folder: string): string | null {
  if (row === undefined || row.where === "here") return folder;
  return appFolder(folder) ?? (row.where === "app-or-here" ? folder : null);
}

/** As npm does: code of an app may go by the folder that its process runs in. */
function enter(root: string): void {
  if (root !== process.cwd()) process.chdir(root);
}

function noApp(folder: string): string {
  return `there is no app in ${folder}, nor above it: no models/models.json, and no models/manifest.json\n\`npx kirak init my-app\` makes one`;
}

function print(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}
