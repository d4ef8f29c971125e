import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isReservedRole } from "#vocabulary/accounts/role-names";

/** The app that a folder belongs to: the folder itself or a parent folder. Null without an app. */
export function appFolder(folder: string): string | null {
  const isApp = ["models.json", "manifest.json"].some((name) => existsSync(join(folder, "models", name)));
  if (isApp) return folder;
  const above = dirname(folder);
  return above === folder ? null : appFolder(above);
}

/** Names of the app's migrations, in order. Falls back to those of the build. */
export function migrationNames(root: string): readonly string[] {
  const found = ["generated", "dist/generated"]
    .map((folder) => namesIn(join(root, folder, "migrations")))
    .find((names) => names.length > 0);
  return [...(found ?? [])].flatMap((name) => /^(\d{4}_\w+)\.[jt]s$/.exec(name)?.[1] ?? []).sort();
}

/** Roles in the app's access rules, and the roles that every app has. */
export function roleNames(root: string): readonly string[] {
  const models = namesIn(join(root, "models")).filter((name) => name.endsWith(".json"));
  const named = models.flatMap((name) => rolesOf(join(root, "models", name)));
  return [...new Set(["user", "admin", ...named])].filter((role) => !isReservedRole(role)).sort();
}

function rolesOf(path: string): string[] {
  try {
    return [...readFileSync(path, "utf8").matchAll(/"role":\s*"([\w-]+)"/g)].map(([, role = ""]) => role);
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
