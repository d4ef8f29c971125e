import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The version of the package that this file belongs to, built or not; null where it lies alone. */
export function runtimeVersion(folder = import.meta.dirname): string | null {
  const path = join(folder, "package.json");
  if (existsSync(path)) {
    const { name, version }: { name?: unknown; version?: unknown } = JSON.parse(readFileSync(path, "utf8"));
    if (name === "kirak" && typeof version === "string") return version;
  }
  const above = dirname(folder);
  return above === folder ? null : runtimeVersion(above);
}
