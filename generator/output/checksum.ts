import { createHash } from "node:crypto";
import { checksumLength } from "../../vocabulary/models-folder.ts";

/** A short checksum of a text: it notices edits, it does not withstand forgery. */
export function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, checksumLength);
}
