import type { StorageSettings } from "../../../core/config/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { isAdministrator, type Principal } from "../../../models/access/index.ts";
import { isFileKey } from "./file-key.ts";

/** What the keys begin with that a caller reaches; empty: all. Null: none. */
export function reachOf(
  { user_id: user, role }: Principal,
  { scope }: Pick<StorageSettings, "scope">,
): string | null {
  if (scope === "shared" || isAdministrator(role)) return "";
  // A token of another issuer may name anything.
  return user !== null && !user.includes("/") && isFileKey(user) ? `users/${user}/` : null;
}

/** Refuses a key, or the beginning of keys, out of a caller's reach. Error: 403 `PERMISSION_DENIED`. */
export function requireReach(reach: string | null, key: string): void {
  if (reach === null || !key.startsWith(reach))
    throw new ServiceError("PERMISSION_DENIED", "You reach the files below users/<your id>/ alone.");
}

/** Whether a file may be read by everybody: it lies below a public prefix. Each of these ends with a slash. */
export function isPublic(key: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => key.startsWith(prefix));
}
