import { appFolder } from "./app-folder.ts";
import type { ParsedLine } from "./command-line.ts";
import { commandTable, type Row } from "./command-table.ts";
import type { ExitCode } from "./define-command.ts";

/**
 * Runs a command line in the app around a folder. Returns the exit code, or undefined if the command has set
 * it. Loads the parser only if there are arguments.
 */
export async function executeLine([first, ...others]: readonly string[], folder: string): ExitCode {
  if (first === "--get-yargs-completions") return completeLine(others, folder);
  const isHelp = first === "help" && others[0] !== undefined;
  const [name, ...words] = isHelp ? [...others, "--help"] : [first, ...others];
  const row = commandTable.find((one) => one.name === name);
  const root = rootOf(row, folder, words);
  if (root !== null && root !== process.cwd()) process.chdir(root);
  const module = await row?.load();
  if (root !== null && (await module?.atOnce?.(words, root)) === true) return undefined;
  const { readCommand } = await import("./command-line.ts");
  const { readNoCommand } = await import("./overview.ts");
  const command = module?.command;
  const parsed =
    row === undefined || command === undefined
      ? readNoCommand(name, programIn(process.env))
      : await readCommand(invocationOf(row.name, process.env), command, words);
  const blocked = row !== undefined && "run" in parsed ? await precheck(row, root, folder) : null;
  return respond(blocked === null ? parsed : { ...blocked, refusal: refusalOf(parsed) }, root ?? folder);
}

/** Runs a parsed line in a folder, or prints the mistake. Returns the exit code. */
export async function respond(parsed: ParsedLine, root: string): ExitCode {
  if ("run" in parsed) return parsed.run(root);
  if ("text" in parsed) {
    process.stdout.write(parsed.text);
    return 0;
  }
  const { mistake, fix, refusal } = parsed;
  if (refusal === undefined) process.stderr.write(`${mistake}\n${fix}\n`);
  else process.stdout.write(refusal(mistake, fix));
  return 2;
}

function refusalOf(parsed: ParsedLine) {
  return "refusal" in parsed ? parsed.refusal : undefined;
}

/** The words that a shell passes begin with the name of the program. */
async function completeLine([, ...words]: readonly string[], folder: string): ExitCode {
  const { complete } = await import("./completion.ts");
  await complete(words, folder);
  return 0;
}

/**
 * The folder in which a command runs. Null if it needs an app and finds none. The process changes to this
 * folder, as npm does, because app code can depend on it.
 */
function rootOf(row: Row | undefined, folder: string, words: readonly string[]): string | null {
  if (row === undefined || row.where === "here") return folder;
  const isNamed = words.some((word) => word.split("=")[0] === row.placeFlag);
  return appFolder(folder) ?? (isNamed || row.where === "app-or-here" ? folder : null);
}

/** Why a parsed command cannot run, with the fix. Null if it can. */
async function precheck(
  { name, needs }: Row,
  root: string | null,
  folder: string,
): Promise<{ readonly mistake: string; readonly fix: string } | null> {
  if (root === null)
    return {
      mistake: `no app in ${folder} or a parent folder: models/models.json and models/manifest.json are missing`,
      fix: "run `npx kirak init my-app` to create one",
    };
  if (needs === undefined) return null;
  const { missingToolchain } = await import("./development-packages.ts");
  const missing = missingToolchain(name, needs, root);
  return missing === null ? null : { mistake: missing.message, fix: missing.fix };
}

/** How the user calls this program. */
function programIn({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): string {
  return script === "npx" ? "npx kirak" : "kirak";
}

/** How the user calls a command: as a script of package.json, or by name. */
function invocationOf(name: string, environment: NodeJS.ProcessEnv): string {
  if (environment["npm_lifecycle_event"] === name) return `npm run ${name} --`;
  return `${programIn(environment)} ${name}`;
}
