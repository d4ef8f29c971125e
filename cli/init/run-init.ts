import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { kirakDependency } from "./app-package.ts";
import {
  type InitEnvironment,
  initEnvironment,
  type PackageManager,
  type SetupStep,
} from "./init-environment.ts";
import { type InitFlags, originOf } from "./init-flags.ts";
import { nextSteps, summaryOf } from "./init-texts.ts";
import { type AppPlan, projectFiles } from "./project-files.ts";
import { writeProject } from "./write-project.ts";

/** Files that the folder can hold before `kirak init`: those of a new repository or a file manager. */
const ignoredFiles =
  /^(?:\.git|\.gitignore|\.gitattributes|\.editorconfig|\.vscode|\.idea|\.DS_Store|Thumbs\.db|(?:licen[cs]e|copying|notice|readme|codeowners)(?:\.\w+)?)$/i;

/** The longest list of files in a message. */
const maxListed = 5;

/** Why an app cannot be created in a folder, or null. Existing files are never replaced. */
function folderProblem(root: string): string | null {
  try {
    if (!statSync(root).isDirectory()) return `${root} is a file: an app needs a folder`;
    const others = readdirSync(root).filter((name) => !ignoredFiles.test(name));
    return others.length === 0 ? null : `${root} is not empty (${listed(others)}): choose another folder`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return `a part of the path ${root} is a file: an app needs a folder`;
    if (code === "EACCES" || code === "EPERM")
      return `${root} cannot be read by this user: choose another folder`;
    throw error;
  }
}

function listed(names: readonly string[]): string {
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : "";
  return `${names.toSorted().slice(0, maxListed).join(", ")}${more}`;
}

/** The maximum length of a name in the manifest. */
const maxNameLength = 100;

/** Names that npm does not allow for a package, and `kirak`, which would depend on itself. */
const forbiddenNames = new Set(["kirak", "node_modules", "favicon.ico"]);

/**
 * The name of the app for its package and manifest: the folder's name without accents, with `-` for
 * characters that npm does not allow.
 */
function appName(folder: string): string | { readonly problem: string } {
  const given = basename(folder);
  const name = given
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[-._]+|[-._]+$/g, "");
  if (name === "")
    return {
      problem: `the app gets the name of its folder, but no name can be made from ${JSON.stringify(given)}`,
    };
  if (forbiddenNames.has(name))
    return { problem: `an app cannot be called ${JSON.stringify(name)}: choose another folder` };
  if (name.length > maxNameLength)
    return { problem: `the name of the folder has more than ${maxNameLength} characters` };
  return name;
}

/** Output of the command: progress, and errors. */
export interface InitOutput {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** 0: the app was created; 1: the files exist, but a later step failed; 2: nothing was written. */
export type InitExit = 0 | 1 | 2;

/** `kirak init`: creates an app in a folder. */
export async function runInit(
  flags: InitFlags,
  cwd: string,
  output: InitOutput,
  environment: InitEnvironment = initEnvironment(),
): Promise<InitExit> {
  const root = resolve(cwd, flags.folder);
  const plan = planOf(flags, { cwd, root }, environment);
  if ("problem" in plan) return refused(plan.problem, output);
  const written = writeProject(root, projectFiles(plan));
  if ("problem" in written) return refused(written.problem, output);
  const repository = flags.git && environment.makeRepository(root);
  output.print(summaryOf({ cwd, root }, plan, written, repository));
  const left = await runRemainingSteps(flags, plan, root, environment, output.print);
  output.print(nextSteps({ cwd, root }, plan, left.commands, environment.manager));
  return left.failed ? 1 : 0;
}

function planOf(
  flags: InitFlags,
  { cwd, root }: { readonly cwd: string; readonly root: string },
  { own, manager, examples }: InitEnvironment,
): AppPlan | { readonly problem: string } {
  const origin = originOf(flags);
  if ("problem" in origin) return origin;
  const name = appName(root);
  if (typeof name !== "string") return name;
  const kirak = kirakDependency(flags.kirak ?? null, { cwd, root, own });
  if (typeof kirak !== "string") return kirak;
  const inFolder = folderProblem(root);
  if (inFolder !== null) return { problem: inFolder };
  if (!existsSync(join(examples, "blank")))
    return {
      problem: `no examples in ${examples}: in the repository of kirak, run npm run build`,
    };
  return { name, kirak, origin, own, manager, examples };
}

/** Runs the steps after the files are written. Returns the remaining commands. */
async function runRemainingSteps(
  { install = false, noInstall = false }: InitFlags,
  { origin }: AppPlan,
  root: string,
  environment: InitEnvironment,
  print: (text: string) => void,
): Promise<{ readonly commands: readonly string[]; readonly failed: boolean }> {
  const { manager } = environment;
  if ("database" in origin) {
    if (noInstall) return { commands: commandsFor(manager, origin.schema), failed: false };
    return importDatabase({ root, ...origin }, environment, print);
  }
  const commands = [`${manager} install`];
  if (!install) return { commands, failed: false };
  print(`\n> ${manager} install\n`);
  const failed = (await environment.run({ program: manager, words: ["install"] }, root)) !== 0;
  return { commands: failed ? commands : [], failed };
}

function refused(problem: string, { printError }: InitOutput): InitExit {
  printError(`${problem}\n`);
  return 2;
}

/** The input of the steps for a database. */
interface DatabaseImport {
  readonly root: string;
  readonly database: string;
  readonly schema: string;
}

/** The commands that adopt a database, as the user types them in the app. */
function commandsFor(manager: PackageManager, schema: string): string[] {
  const flags =
    schema === "public" ? "" : ` -- --schema ${/^\w+$/.test(schema) ? schema : JSON.stringify(schema)}`;
  return [`${manager} install`, `npm run introspect${flags}`, "npm run generate"];
}

/**
 * Installs packages and runs the app's own `kirak introspect`, which prints the next `generate` command.
 * Returns the remaining commands, and whether a step failed, which has printed its error.
 */
async function importDatabase(
  { root, database, schema }: DatabaseImport,
  { manager, run }: Pick<InitEnvironment, "manager" | "run">,
  print: (text: string) => void,
): Promise<{ readonly commands: readonly string[]; readonly failed: boolean }> {
  // Environment variables override .env: a variable there would select another database.
  const variables = { SERVICE_DATABASE_URL: database };
  const kirak = (...words: readonly string[]): SetupStep => ({
    program: process.execPath,
    words: [programOf(root), ...words],
    variables,
  });
  const steps = [
    () => ({ program: manager, words: ["install"] }),
    () => kirak("introspect", "--schema", schema),
  ];
  const commands = commandsFor(manager, schema);
  for (const [index, step] of steps.entries()) {
    print(`\n> ${commands[index]}\n`);
    if ((await run(step(), root)) !== 0) return { commands: commands.slice(index), failed: true };
  }
  return { commands: commands.slice(steps.length), failed: false };
}

/** The command line of the installed package. */
function programOf(root: string): string {
  const folder = join(root, "node_modules", "kirak");
  const { bin }: { bin: { kirak: string } } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, bin.kirak);
}
