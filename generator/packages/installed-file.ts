import { createRequire } from "node:module";
import { join } from "node:path";

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
