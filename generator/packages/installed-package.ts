import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Stop } from "../diagnostics/stop.ts";

/**
 * The path of a module of a development package: next to this package, or else in the folder of an app, for example if npx fetched
 * only this package. Null if it is in neither.
 */
export function installedFile(name: string, file: string, app: string): string | null {
  for (const from of [import.meta.url, join(app, "package.json")])
    try {
      return createRequire(from).resolve(`${name}/${file}`);
    } catch {}
  return null;
}

/** Packages of development that the generator is on; an app has them in its `devDependencies`. */
type DevelopmentPackage = "typescript" | "ts-morph" | "@biomejs/biome";

/** The path of a module of such a package. Stops where it is not installed. */
export function developmentFile(name: DevelopmentPackage, file: string, app = process.cwd()): string {
  const found = installedFile(name, file, app);
  if (found !== null) return found;
  throw new Stop(2, {
    problems: [
      {
        kind: "absent",
        message: `the package ${name} is not installed here, and the generator needs it`,
        details: "",
        fix: `npm install --include=dev where package.json has it among its devDependencies, else npm install --save-dev ${name}`,
      },
    ],
  });
}

/** The same as a URL to import. */
export function developmentModule(name: DevelopmentPackage, file: string, app?: string): string {
  return pathToFileURL(developmentFile(name, file, app)).href;
}
