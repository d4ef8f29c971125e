import type { StorageSettings } from "../../../core/config/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { isAdministrator, type Principal } from "../../../models/access/index.ts";
import { isFileKey } from "./file-key.ts";

/** The folder of a user's files, if `storage.scope` is `user`. */
export function userFolder(userId: string): string {
  return `users/${userId}/`;
}

/** Key prefix that a caller can access. Empty: all keys. Null: no keys. */
export function allowedPrefixOf(
  { user_id: user, role }: Principal,
  { scope }: Pick<StorageSettings, "scope">,
): string | null {
  if (scope === "shared" || isAdministrator(role)) return "";
  // Tokens of other issuers can contain any user id.
  return user !== null && !user.includes("/") && isFileKey(user) ? userFolder(user) : null;
}

/** Error: 403 `PERMISSION_DENIED` for a key or prefix outside of the caller's reach. */
export function requireAllowedKey(allowedPrefix: string | null, key: string): void {
  if (allowedPrefix === null || !key.startsWith(allowedPrefix))
    throw new ServiceError("PERMISSION_DENIED", "You can only access files below users/<your id>/.");
}

/** Whether a file is public, that is, below a public prefix. Prefixes end with a slash. */
export function isPublic(key: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => key.startsWith(prefix));
}
