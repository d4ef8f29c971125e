import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** The folder of an app that has installed packages, each of them empty. It goes after the test file. */
export function rootWithPackages(...names: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), "kirak-app-"));
  afterAll(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "package.json"), "{}");
  installPackages(root, ...names);
  return root;
}

/** Puts packages into an app, each of them empty. */
export function installPackages(root: string, ...names: readonly string[]): void {
  for (const name of names) {
    const folder = join(root, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, main: "index.js" }));
    writeFileSync(join(folder, "index.js"), "");
  }
}
