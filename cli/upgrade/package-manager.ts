import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageName } from "./locked-version.ts";

const others = { "pnpm-lock.yaml": "pnpm add", "yarn.lock": "yarn add", "bun.lock": "bun add" } as const;

/** The command that installs a version of kirak in an app, by the lock that it has. */
export function installCommand(root: string, version: string): string {
  const found = Object.entries(others).find(([lock]) => existsSync(join(root, lock)));
  return `${found?.[1] ?? "npm install"} ${packageName}@${version}`;
}
