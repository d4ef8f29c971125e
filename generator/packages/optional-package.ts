import { installLine, optionalPackages } from "../../vocabulary/optional-packages.ts";
import { Stop } from "../diagnostics/stop.ts";
import { installedFile } from "./installed-file.js";

/** Stops if the package is not installed that a setting of the manifest needs: the service would not start. */
export function requireOptionalPackage(setting: keyof typeof optionalPackages, root: string): void {
  const needed = optionalPackages[setting];
  if (installedFile(needed.name, "package.json", root) !== null) return;
  const message = `${setting} needs the package ${needed.name}, which is not installed here`;
  throw new Stop(2, { problems: [{ kind: "absent", message, details: "", fix: installLine(needed) }] });
}
