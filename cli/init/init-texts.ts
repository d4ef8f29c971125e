import { relative } from "node:path";
import { shellWord } from "#vocabulary/shell-word";
import type { PackageManager } from "./init-environment.ts";
import { initExamples } from "./init-flags.ts";
import type { AppPlan } from "./project-files.ts";
import type { WriteResult } from "./write-project.ts";

interface InitFolders {
  readonly cwd: string;
  readonly root: string;
}

/** Lists the created files, and the existing files that stay. */
export function summaryOf(
  folders: InitFolders,
  { name, origin }: Pick<AppPlan, "name" | "origin">,
  { written, kept, ignored }: WriteResult,
  repository: boolean,
): string {
  const from =
    "example" in origin
      ? `${origin.example}: ${initExamples[origin.example]}`
      : "the tables of your database";
  const stays = kept.filter((path) => path !== ".gitignore" || ignored.length === 0);
  return [
    `created the app ${name} in ${shellWord(shownFolder(folders))}, from ${from} (${written.length} files)`,
    ...(stays.length > 0 ? [`unchanged: ${stays.join(", ")}`] : []),
    ...(ignored.length > 0 ? [`added to .gitignore: ${ignored.join(", ")}`] : []),
    ...(repository ? ["created a git repository without a commit"] : []),
    "",
  ].join("\n");
}

const ofDatabase =
  "The models describe your tables as they are, and are closed to all roles: add access rules to models/models.json.\n" +
  "The first start creates only the tables of Kirak itself.\n";

/** The next commands to type. `commands` are those before the first start. */
export function nextSteps(
  folders: InitFolders,
  { origin }: Pick<AppPlan, "origin">,
  commands: readonly string[],
  manager: PackageManager,
): string {
  const folder = shownFolder(folders);
  // `bun test` starts bun's own tests, on its own runtime.
  const runner = manager === "bun" ? "npm" : manager;
  const further =
    "database" in origin ? ["npm run secrets -- --write", "npm run migrate -- up --dry-run"] : [];
  const lines = [
    ...(folder === "." ? [] : [`cd ${shellWord(folder)}`]),
    ...commands,
    ...further,
    `${runner} start`,
    `${runner} test`,
  ];
  return `\nto go on:\n${lines.map((line) => `  ${line}\n`).join("")}\n${"database" in origin ? ofDatabase : ""}The app serves http://localhost:3000. README.md continues from there.\n`;
}

/** The folder as the user would type it. */
function shownFolder({ cwd, root }: InitFolders): string {
  const path = relative(cwd, root);
  return path === "" ? "." : path.startsWith("..") ? root : path;
}
