import { hash } from "node:crypto";
import { checksumLength } from "../../vocabulary/models-folder.ts";

/** A short checksum of a text, or of its bytes: it notices edits, it does not withstand forgery. */
export function checksum(text: string | Uint8Array): string {
  return hash("sha256", text, "hex").slice(0, checksumLength);
}
