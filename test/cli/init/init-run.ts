import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { initEnvironment, type PackageManager, type SetupStep } from "#cli/init/init-environment";
import type { InitFlags } from "#cli/init/init-flags";
import { runInit } from "#cli/init/run-init";
import { copyExamples } from "../../../scripts/run/examples.js";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The examples as the package holds them, until the test file is over. */
export function packagedExamples(): string {
  const folder = temporaryFolder("kirak-examples-");
  copyExamples(folder);
  return folder;
}

/** The arguments, and the state before. */
export interface Init extends Partial<InitFlags> {
  /** Files that are there before. */
  readonly before?: Readonly<Record<string, string>>;
  /** Exit codes of the programs, in this order; default 0. */
  readonly ends?: readonly number[];
  /** Default npm. */
  readonly manager?: PackageManager;
}

/** Runs the command in a folder of its own, and records the programs that it would run. */
export async function init(
  examples: string,
  { before = {}, ends = [], manager = "npm", ...flags }: Init = {},
) {
  const cwd = temporaryFolder("kirak init ");
  for (const [path, text] of Object.entries(before)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const said: string[] = [];
  const complaints: string[] = [];
  const steps: (SetupStep & { readonly folder: string })[] = [];
  const output = {
    print: (text: string) => said.push(text),
    printError: (text: string) => complaints.push(text),
  };
  const exitCode = await runInit({ folder: "my-app", git: false, ...flags }, cwd, output, {
    ...initEnvironment(),
    examples,
    manager,
    async run(step, folder) {
      steps.push({ ...step, folder });
      const installed = join(folder, "node_modules/kirak");
      mkdirSync(installed, { recursive: true });
      writeFileSync(join(installed, "package.json"), '{ "bin": { "kirak": "lib/cli/kirak.js" } }');
      return ends[steps.length - 1] ?? 0;
    },
  });
  const root = join(cwd, flags.folder ?? "my-app");
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return { cwd, root, exitCode, said: said.join(""), complaints: complaints.join(""), steps, read };
}
