import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRoleOfMany } from "#vocabulary/accounts/role-names";

/** The folder of the app that a folder is in, itself or one above it, as npm, git and others look for theirs; null if it does not exist. */
export function appFolder(folder: string): string | null {
  const isApp = ["models.json", "manifest.json"].some((name) => existsSync(join(folder, "models", name)));
  if (isApp) return folder;
  const above = dirname(folder);
  return above === folder ? null : appFolder(above);
}

/** Names of the migrations of an app, in order; those of its build where there are no others. */
export function migrationNames(root: string): readonly string[] {
  const found = ["generated", "dist/generated"]
    .map((folder) => namesIn(join(root, folder, "migrations")))
    .find((names) => names.length > 0);
  return [...(found ?? [])].flatMap((name) => /^(\d{4}_\w+)\.[jt]s$/.exec(name)?.[1] ?? []).sort();
}

/** Roles that the access rules of an app name, and those that every app has. */
export function roleNames(root: string): readonly string[] {
  const models = namesIn(join(root, "models")).filter((name) => name.endsWith(".json"));
  const named = models.flatMap((name) => rolesOf(join(root, "models", name)));
  return [...new Set(["user", "admin", ...named])].filter((role) => !isRoleOfMany(role)).sort();
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
