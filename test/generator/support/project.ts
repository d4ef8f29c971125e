import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, TestRunner } from "vitest";
import { generate } from "#generator/pipeline/generate";
import type { GenerateOptions, GenerateResult } from "#generator/pipeline/result";
import { afterFile } from "../../support/after-file.ts";
import { type Outcome, runProgram } from "../../support/command.ts";
import { compiled } from "../../support/compiled.ts";

/** The repository. */
export const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** What `npm run generate` runs, before its flags. */
export const generatorProgram: readonly string[] = [join(repository, "scripts/run/kirak.js"), "generate"];

/** Runs `kirak generate` to its end, in a project, as if typed by hand. */
export function runGenerator(
  root: string,
  flags: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const module = compiled(new URL("../../../cli/kirak.ts", import.meta.url)).href;
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const environment = { ...inherited, ...variables };
  return runProgram({ module, args: ["generate", ...flags], environment, folder: root });
}

/** A project in a temporary folder, with the repository's package; removed after its test or file. */
export interface Project {
  readonly root: string;
  /** Writes a file; objects become JSON. */
  readonly write: (path: string, content: string | object) => void;
  readonly read: (path: string) => string;
  readonly remove: (path: string) => void;
  /** Files below a folder with their texts, sorted; empty if the folder does not exist. */
  readonly files: (folder: string) => Record<string, string>;
  /** Runs the generator; without the compile check unless it is asked for. */
  readonly generate: (options?: Partial<GenerateOptions>) => Promise<GenerateResult>;
}

/** Makes a project of the given models. */
export function project(models: object = {}, manifest: object = { name: "fixture" }): Project {
  const made = projectIn(temporaryFolder());
  const { root, write } = made;
  for (const folder of ["lib", "node_modules", "runtime", "schemas", "vocabulary"])
    symlinkSync(join(repository, folder), join(root, folder));
  for (const file of ["package.json", "biome.json", "package-lock.json"])
    copyFileSync(join(repository, file), join(root, file));
  write("models/models.json", models);
  write("models/manifest.json", manifest);
  // Declarations instead of the sources of the runtime take a third of the compiler's time.
  const settings = JSON.parse(readFileSync(join(repository, "tsconfig.json"), "utf8"));
  write("tsconfig.json", {
    ...settings,
    compilerOptions: { ...settings.compilerOptions, customConditions: [] },
  });
  return made;
}

/** A copy of a project with all of its files, for tests that begin with the same ones. */
export function copyOf({ root }: Project): Project {
  const copy = temporaryFolder();
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  return projectIn(copy);
}

function temporaryFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "kirak-test-"));
  const afterwards = TestRunner.getCurrentTest() === undefined ? afterFile : onTestFinished;
  afterwards(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

function projectIn(root: string): Project {
  return {
    root,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(
        join(root, path),
        typeof content === "string" ? content : JSON.stringify(content, null, 2),
      );
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    files: (folder) => filesBelow(join(root, folder)),
    generate: (options = {}) => generate({ ...defaults, root, ...options }),
  };
}

// biome-ignore format: many a line
const defaults = {
  models: "models/models.json", manifest: "models/manifest.json", out: "generated", mode: "write",
  force: false, accepted: [], rebase: [], base: null, compile: false,
} as const;

// biome-ignore format: many a line
const identity = [
  "-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false",
];

/** Makes a git repository of a project, with the branch `main` and no commit. */
export function inGit({ root }: Project) {
  const git = (...words: readonly string[]): string =>
    execFileSync("git", [...identity, ...words], { cwd: root, encoding: "utf8", stdio: "pipe" });
  /** Commits what a run reads and writes. */
  const commit = (message = "a change"): void => {
    git("add", "models", "generated");
    git("commit", "--quiet", "--message", message);
  };
  git("init", "--quiet", "--initial-branch", "main");
  return { git, commit };
}

/** Files below a folder with their texts, by path with `/`, sorted; empty if the folder does not exist. */
export function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  // biome-ignore format: many a line
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1).split(sep).join("/"), readFileSync(path, "utf8")]),
  );
}
