import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { appName } from "./app-name.ts";
import { kirakDependency } from "./app-package.ts";
import { type InitFlags, originOf } from "./init-flags.ts";
import { type Surroundings, surroundings } from "./init-surroundings.ts";
import { nextSteps, summaryOf } from "./init-texts.ts";
import { type AppPlan, projectFiles } from "./project-files.ts";
import { commandsFor, takeOverDatabase } from "./take-over-database.ts";
import { folderProblem } from "./target-folder.ts";
import { writeProject } from "./write-project.ts";

/** Where a command prints: what it made, and what went wrong. */
export interface InitOutput {
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** 0: the app is there; 1: its files are, and what was to follow failed; 2: nothing was written. */
export type InitExit = 0 | 1 | 2;

/** `kirak init`: makes an app in a folder. */
export async function runInit(
  flags: InitFlags,
  cwd: string,
  output: InitOutput,
  around: Surroundings = surroundings(),
): Promise<InitExit> {
  const root = resolve(cwd, flags.folder);
  const plan = planOf(flags, { cwd, root }, around);
  if ("problem" in plan) return refused(plan.problem, output);
  const written = writeProject(root, projectFiles(plan));
  if ("problem" in written) return refused(written.problem, output);
  const repository = flags.git && around.makeRepository(root);
  output.say(summaryOf({ cwd, root }, plan, written, repository));
  const left = await afterwards(flags, plan, root, around, output.say);
  output.say(nextSteps({ cwd, root }, plan, left.commands, around.manager));
  return left.failed ? 1 : 0;
}

function planOf(
  flags: InitFlags,
  { cwd, root }: { readonly cwd: string; readonly root: string },
  { own, examples }: Surroundings,
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
      problem: `there are no examples in ${examples}: in the repository of kirak, npm run build makes them`,
    };
  return { name, kirak, origin, own, examples };
}

/** What follows the files, and which commands are left to type. */
async function afterwards(
  { install = false, noInstall = false }: InitFlags,
  { origin }: AppPlan,
  root: string,
  around: Surroundings,
  say: (text: string) => void,
): Promise<{ readonly commands: readonly string[]; readonly failed: boolean }> {
  const { manager } = around;
  if ("database" in origin) {
    if (noInstall) return { commands: commandsFor(manager, origin.schema), failed: false };
    return takeOverDatabase({ root, ...origin }, around, say);
  }
  const commands = [`${manager} install`];
  if (!install) return { commands, failed: false };
  say(`\n> ${manager} install\n`);
  const failed = (await around.run({ program: manager, words: ["install"] }, root)) !== 0;
  return { commands: failed ? commands : [], failed };
}

function refused(problem: string, { complain }: InitOutput): InitExit {
  complain(`${problem}\n`);
  return 2;
}
