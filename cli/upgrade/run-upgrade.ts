import { formerVersion, installedVersion, type RunningPackage } from "./former-version.ts";
import { installCommand } from "./package-manager.ts";
import { printUpgrade } from "./print-upgrade.ts";
import { compareVersions } from "./release-version.ts";
import { hasNews, upgradeChanges } from "./upgrade-changes.ts";

/** The flags of `kirak upgrade`. */
export interface UpgradeFlags {
  readonly check: boolean;
  readonly diff: boolean;
  readonly json: boolean;
  /** The version that the app had, where it is named. */
  readonly from: string | null;
  /** The commit whose files say which version that was. */
  readonly base: string | null;
}

/** Where it is said: what was asked for, and what keeps it from being answered. */
export interface UpgradeOutput {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** What keeps flags from standing together, in words, or null. */
export function upgradeConflict({ check, diff, json, from, base }: UpgradeFlags): string | null {
  const given = { "--diff": diff, "--json": json, "--from": from !== null, "--base": base !== null };
  const idle = Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (!check && idle.length > 0)
    return `${idle.join(" and ")} ${idle.length === 1 ? "goes" : "go"} with --check`;
  return from !== null && base !== null
    ? "--from and --base exclude each other: both say what the app had"
    : null;
}

/**
 * Says what taking over this version of kirak changes in an app; without `--check`, how one is taken over. Writes nothing. Gives the
 * exit code: 0 nothing to do, 1 something to read or to do, 2 nothing to compare with.
 */
export async function runUpgrade(
  flags: UpgradeFlags,
  { root, running }: { readonly root: string; readonly running: RunningPackage },
  { print, complain }: UpgradeOutput,
): Promise<0 | 1 | 2> {
  if (!flags.check) {
    print(steps(root, running));
    return 0;
  }
  const former = await formerVersion({ root, running, from: flags.from, base: flags.base });
  const problem = "problem" in former ? former.problem : goingBack(former.version, running.version);
  if (problem !== null || "problem" in former) {
    if (flags.json) print(`${JSON.stringify({ exitCode: 2, problem }, null, 2)}\n`);
    else complain(`${problem}\n`);
    return 2;
  }
  const changes = await upgradeChanges(root, running, former);
  const exitCode = hasNews(changes) ? 1 : 0;
  const isInstalled = installedVersion(root, running.folder) === null;
  const install = isInstalled ? null : installCommand(root, running.version);
  if (flags.json) print(`${JSON.stringify({ exitCode, ...changes, install }, null, 2)}\n`);
  else print(printUpgrade(changes, { diff: flags.diff, install }));
  return exitCode;
}

function goingBack(from: string, to: string): string | null {
  if (compareVersions(from, to) <= 0) return null;
  return `the app had kirak ${from}, which is newer than this one, ${to}: what going back takes stands in docs/upgrading.md`;
}

function steps(root: string, { version }: RunningPackage): string {
  return `This is kirak ${version}. To take over the newest:

  npx kirak@latest upgrade --check   says what it changes: generated text, behaviour, migrations
  ${installCommand(root, "latest").padEnd(34)} installs it
  npx kirak generate                 writes generated/ as it does

Then read git diff, run the tests, and commit all of it together. Nothing is changed by this command.
`;
}
