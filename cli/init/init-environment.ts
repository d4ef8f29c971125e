import { spawn, spawnSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { thisPackage } from "../this-package.ts";
import { type Toolchain, toolchain } from "./app-package.ts";

const managers = ["npm", "pnpm", "yarn", "bun"] as const;

/** Programs that install packages. */
export type PackageManager = (typeof managers)[number];

/** A program with its arguments and additional environment variables. */
export interface SetupStep {
  readonly program: string;
  readonly words: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** The environment of `kirak init`. */
export interface InitEnvironment {
  readonly own: Toolchain;
  /** The folder of the examples in the package. */
  readonly examples: string;
  readonly manager: PackageManager;
  /** Runs a program with visible output. Returns its exit code. */
  readonly run: (step: SetupStep, folder: string) => Promise<number>;
  /** Creates a git repository, unless the folder is in one. */
  readonly makeRepository: (folder: string) => boolean;
}

/** The environment of this process. */
export function initEnvironment(): InitEnvironment {
  return {
    own: toolchain(),
    examples: join(thisPackage().folder, "lib", "examples"),
    manager: managerOf(process.env["npm_config_user_agent"] ?? ""),
    run: runStep,
    makeRepository,
  };
}

/** The package manager that started this process: `pnpm/10.1.0 npm/? node/v22.0.0 …`. */
function managerOf(agent: string): PackageManager {
  return managers.find((name) => agent.startsWith(`${name}/`)) ?? "npm";
}

function runStep({ program, words, variables }: SetupStep, folder: string): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: folder,
      stdio: "inherit",
      env: { ...process.env, ...variables },
      // On Windows npm is a shell script.
      shell: process.platform === "win32" && program !== process.execPath,
    });
    child.once("error", ({ message }) => {
      process.stderr.write(`${program} cannot be run: ${message}\n`);
      resolve(1);
    });
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

function makeRepository(folder: string): boolean {
  // git would initialize an existing `.git`, such as a link to another folder.
  if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return false;
  const git = (...words: readonly string[]) =>
    spawnSync("git", words, { cwd: folder, stdio: "ignore" }).status === 0;
  return !git("rev-parse", "--git-dir") && git("-c", "init.defaultBranch=main", "init", "--quiet");
}
