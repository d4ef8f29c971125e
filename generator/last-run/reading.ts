import { existsSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ownMigrationsFolder } from "../../vocabulary/models-folder.ts";
import { surroundingsOf } from "../compile/checked-files.ts";
import { usersSources } from "../compile/users-files.ts";
import {
  hookFiles,
  jobFiles,
  mailFiles,
  modelFiles,
  ownMigrationFiles,
  routeFiles,
  strayHookFiles,
} from "../load/files.ts";
import { acknowledgedPath } from "../load/read-acknowledged.ts";
import { errorsPath } from "../load/read-errors.ts";
import { checksum } from "../output/checksum.ts";
import { savedSince } from "../output/saved-since.ts";
import { developmentFile } from "../packages/development-package.ts";

/** Where the inputs and the output of a run are; paths are relative to `root`. */
export interface Places {
  readonly root: string;
  readonly models: string;
  readonly manifest: string;
  readonly out: string;
}

/** All that decides what a run does, but for its output folder and for what the compile check asks the disk for. */
export interface Reading {
  readonly places: Places;
  /** What the generator is made of. */
  readonly generator: string;
  /** When it was looked at, in milliseconds. */
  readonly at: number;
  readonly sum: string;
  /** Files and folders that it was taken from. */
  readonly from: readonly string[];
}

/** Written by tools that install packages, each time that they do. */
const installations = [".package-lock.json", ".pnpm/lock.yaml", ".yarn-integrity", ".yarn-state.yml"];

/** What a run would read. Null where nobody can tell: what the generator is made of, for one, or what is installed. */
export async function readingOf(
  places: Places,
  generator: string | null = compiledGenerator(),
): Promise<Reading | null> {
  const { root, models, manifest, out } = places;
  const installed = installations
    .map((name) => `node_modules/${name}`)
    .filter((name) => existsSync(join(root, name)));
  if (generator === null || installed.length === 0 || out.startsWith("..")) return null;
  const at = Date.now();
  const beside = [manifest, acknowledgedPath(models), errorsPath(models), ...(await mailFiles(root, models))];
  const inputs = [...(await modelFiles(root, models)), ...beside];
  const files = [...inputs, ...settings, ...installed];
  const [hooks, strays] = [await hookFiles(root, models), await strayHookFiles(root, models)];
  const migrations = await ownMigrationFiles(root, models);
  const own = usersSources(root, models, out);
  const parts = [
    [process.version, generator, places, formatterVersion(), surroundingsOf(root, out)],
    files.map((path) => [path, sumOf(resolve(root, path))]),
    [[...hooks], strays, await routeFiles(root, models), migrations, await jobFiles(root, models)],
    own.map(([path, text]) => [path, checksum(text)]),
  ];
  const folders = [models, ...own.map(([path]) => path)].map((path) => posix.dirname(path));
  const from = [
    ...files,
    ...own.map(([path]) => path),
    ...folders,
    ...["hooks", "jobs", "mails", "routes", ownMigrationsFolder].map((name) =>
      posix.join(posix.dirname(models), name),
    ),
  ];
  return { places, generator, at, sum: checksum(JSON.stringify(parts)), from: [...new Set(from)] };
}

/** Whether nothing of it became something else since, not even for a moment, in which a run may have read that. */
export async function isSettled({ places, generator, at, sum, from }: Reading): Promise<boolean> {
  if (from.some((path) => savedSince(resolve(places.root, path), at))) return false;
  return (await readingOf(places, generator))?.sum === sum;
}

/** What the compiler and the check of hooks go by. */
const settings = ["tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json"];

/** What this generator was built or compiled from, with its templates; null where it runs as it was written. */
function compiledGenerator(): string | null {
  const tree = fileURLToPath(new URL("../../", import.meta.url));
  const told = ["sources.sha256", "elsewhere.json"].find((name) => existsSync(join(tree, name)));
  return told === undefined ? null : `${tree} ${readFileSync(join(tree, told), "utf8")}`;
}

function formatterVersion(): string {
  return readFileSync(developmentFile("@biomejs/biome", "package.json"), "utf8");
}

function sumOf(path: string): string | null {
  try {
    return checksum(readFileSync(path));
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "";
  }
}
