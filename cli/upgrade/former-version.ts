import { existsSync, readFileSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commitAt, fileAt, isWithoutCommit } from "#generator/review/git-base";
import { lockedVersion, packageName, versionFiles } from "./locked-version.ts";
import { isVersion } from "./release-version.ts";

/** This kirak: its version, and the folder of its package. */
export interface RunningPackage {
  readonly version: string;
  readonly folder: string;
}

/** The version that an app had, and what tells so. */
export interface FormerVersion {
  readonly version: string;
  readonly told: string;
}

interface Asked {
  readonly root: string;
  readonly running: RunningPackage;
  readonly from: string | null;
  readonly base: string | null;
}

/**
 * The version that an app had: the one named; or what is installed in it, where somebody asks a newer kirak before installing that; or
 * what its files said at a commit, or say now, where there is none yet. Answers words for the user where nothing tells it.
 */
export async function formerVersion(asked: Asked): Promise<FormerVersion | { readonly problem: string }> {
  const { root, running, from, base } = asked;
  if (from !== null)
    return isVersion(from)
      ? { version: from, told: "--from" }
      : { problem: `--from is a version such as 0.1.0, not ${JSON.stringify(from)}` };
  const installed = base === null ? installedVersion(root, running.folder) : null;
  if (installed !== null) return { version: installed, told: `node_modules/${packageName}` };
  const place = await placeOf(root, base);
  if ("problem" in place) return { problem: unknown(place.problem) };
  for (const above of ["", "../", "../../", "../../../"])
    for (const file of versionFiles) {
      const text = await place.read(`${above}${file}`);
      const version = text === null ? null : lockedVersion(file, text);
      if (version !== null) return { version, told: `${above}${file}${place.told}` };
    }
  return { problem: unknown(`no package.json${place.told}, nor its lock, says it`) };
}

interface Place {
  readonly read: (path: string) => Promise<string | null>;
  /** How it is told after the name of a file. */
  readonly told: string;
}

async function placeOf(root: string, base: string | null): Promise<Place | { readonly problem: string }> {
  const ref = base ?? "HEAD";
  const found = await commitAt(root, ref);
  if (!("problem" in found)) return { read: (path) => fileAt(root, found.commit, path), told: ` at ${ref}` };
  if (base !== null || !(await isWithoutCommit(root))) return found;
  const read = (path: string) => readFile(join(root, path), "utf8").catch(() => null);
  return { read, told: " as it is now: nothing is committed yet" };
}

function unknown(reason: string): string {
  return `which version of ${packageName} this app had is not known (${reason}): name it, such as --from 0.1.0`;
}

/** The version in the app's own `node_modules`; null where there is none, or it is the one that runs. */
export function installedVersion(root: string, folder: string): string | null {
  const installed = join(root, "node_modules", packageName);
  const file = join(installed, "package.json");
  if (!existsSync(file) || realpathSync(installed) === realpathSync(folder)) return null;
  const { version }: { version?: unknown } = JSON.parse(readFileSync(file, "utf8"));
  return typeof version === "string" ? version : null;
}
