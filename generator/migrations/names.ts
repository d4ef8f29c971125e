import { createHash } from "node:crypto";

/** PostgreSQL cuts identifiers at this many bytes, silently. */
const maxBytes = 63;

/** Name of a column's check constraint; a long one is cut and ends in 8 hex digits of its hash. */
export function checkName(table: string, column: string): string {
  const name = `${table}_${column}_check`;
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${name.slice(0, maxBytes - 9)}_${hash}`;
}
