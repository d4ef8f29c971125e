import { createRequire } from "node:module";
import { join } from "node:path";

/** Whether a package that is installed only if an app needs it is next to Kirak, or in the project of this folder. */
export function isInstalled(name: string, root: string): boolean {
  return [import.meta.url, join(root, "package.json")].some((from) => {
    try {
      createRequire(from).resolve(name);
      return true;
    } catch {
      return false;
    }
  });
}
