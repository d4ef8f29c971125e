import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";

/** These are about another kirak than the one that a project has. */
const ofAnyPackage: readonly string[] = ["init", "upgrade", "completion"];

/**
 * The command line of the kirak that the project around a folder has installed, where that is another one than `own`, the folder of
 * the package that runs: an app is generated and served by the version that its package.json names. Null where this one goes on.
 */
export function localCommandLine(command: string, folder: string, own: string): URL | null {
  if (ofAnyPackage.includes(command)) return null;
  const local = installedAbove(folder);
  if (local === null || `${realpathSync(own)}${sep}`.startsWith(`${realpathSync(local)}${sep}`)) return null;
  const { bin }: { bin?: { kirak?: unknown } } = JSON.parse(
    readFileSync(join(local, "package.json"), "utf8"),
  );
  const program = typeof bin?.kirak === "string" ? join(local, bin.kirak) : null;
  return program !== null && existsSync(program) ? pathToFileURL(program) : null;
}

function installedAbove(folder: string): string | null {
  const local = join(folder, "node_modules", "kirak");
  if (existsSync(join(local, "package.json"))) return local;
  const above = dirname(folder);
  return above === folder ? null : installedAbove(above);
}
