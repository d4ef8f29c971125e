import { pathToFileURL } from "node:url";
import { Stop } from "../diagnostics/stop.ts";
import { installedFile } from "./installed-file.ts";

/** Development packages that the generator needs; an app has them in its `devDependencies`. */
type DevelopmentPackage = "typescript" | "ts-morph" | "@biomejs/biome";

/** The path of a module of such a package. Stops if it is not installed. */
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
