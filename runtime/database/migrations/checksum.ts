import { createHash } from "node:crypto";
import type { Migration } from "./operations.ts";

/** SHA-256, in hex, of a migration's steps as canonical JSON: the order of keys and the formatting do not count. */
export function checksumOf(migration: Migration): string {
  const content = canonical({ up: migration.up, down: migration.down });
  return createHash("sha256").update(content).digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`);
  return `{${entries.join(",")}}`;
}
