import { readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { installedFile } from "#generator/packages/installed-file";
import { thisPackage } from "./this-package.ts";

/** Packages in the `devDependencies` of an app that some commands need. */
export type DevelopmentPackage = "typescript" | "ts-morph" | "@biomejs/biome";

/** Why a command cannot run, and the fix. */
export interface Missing {
  readonly message: string;
  readonly fix: string;
}

/** The missing or unsupported packages that a command needs. Null if all are present. */
export function missingToolchain(
  command: string,
  needed: readonly DevelopmentPackage[],
  root: string,
  stated = developedVersions(),
): Missing | null {
  const wanting = needed.flatMap((name) => {
    const range = stated[name] ?? "";
    const version = versionOf(name, root);
    if (version !== null && semver.satisfies(version, range, { includePrerelease: true })) return [];
    const found = version === null ? "not installed here" : `found version ${version}`;
    return [{ name, version, package: `${name}@${range}`, says: `${name} ${range} (${found})` }];
  });
  if (wanting.length === 0) return null;
  return {
    message: wanting.map(({ says }) => `kirak ${command} needs ${says}`).join("\n"),
    fix: isStated(wanting, root)
      ? "run npm install --include=dev"
      : `run npm install --save-dev ${wanting.map((one) => one.package).join(" ")}`,
  };
}

/** Whether package.json lists all of them, and they are only not installed. */
function isStated(
  wanting: readonly { readonly name: string; readonly version: string | null }[],
  root: string,
): boolean {
  try {
    const stated: { devDependencies?: object } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const { devDependencies = {} } = stated;
    return wanting.every(({ name, version }) => version === null && Object.hasOwn(devDependencies, name));
  } catch {
    return false;
  }
}

function versionOf(name: string, root: string): string | null {
  const manifest = installedFile(name, "package.json", root);
  return manifest === null ? null : String(JSON.parse(readFileSync(manifest, "utf8")).version);
}

/** Apps use the versions that this package is developed with. */
function developedVersions(): Readonly<Record<string, string>> {
  const manifest = readFileSync(join(thisPackage().folder, "package.json"), "utf8");
  const { devDependencies = {} }: { devDependencies?: Record<string, string> } = JSON.parse(manifest);
  return devDependencies;
}
