import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The JWT secret of development: made once, kept in `var/kirak/jwt-secret`, readable by its owner alone. Of two processes
 * that start at once both get the one that was there first.
 */
export function developmentSecret(root: string): string {
  const folder = join(root, "var", "kirak");
  const path = join(folder, "jwt-secret");
  const present = read(path);
  if (present !== null) return present;
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${randomBytes(48).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    // A link appears whole or not at all, and never replaces one that is there.
    linkSync(draft, path);
  } catch (error) {
    if (read(path) === null) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, "utf8").trim();
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim() || null;
  } catch {
    return null;
  }
}
