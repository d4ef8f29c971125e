import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the app that a folder is in, itself or one above it, as npm, git and others look for theirs; null where there is none. */
export function appFolder(folder: string): string | null {
  const isApp = ["models.json", "manifest.json"].some((name) => existsSync(join(folder, "models", name)));
  if (isApp) return folder;
  const above = dirname(folder);
  return above === folder ? null : appFolder(above);
}
