import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder and version of the package that holds this file, built or not. */
export function thisPackage(): { readonly folder: string; readonly version: string } {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    const { version }: { version?: unknown } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    if (typeof version === "string") return { folder, version };
    if (folder === dirname(folder)) throw new Error("the package of kirak has no package.json");
  }
}
