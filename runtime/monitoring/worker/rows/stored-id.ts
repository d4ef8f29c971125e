import { mask } from "../../../masking/index.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An id as it is kept: 16 bytes for a UUID, which most are, else its text. Callers name their requests, and may take a token for that. */
export function storedId(id: string): Buffer | string {
  return uuid.test(id) ? Buffer.from(id.replaceAll("-", ""), "hex") : mask(id);
}

/** The id that was kept. */
export function idOf(stored: Buffer | string): string {
  if (typeof stored === "string") return stored;
  const hex = stored.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** As `idOf`, of a column that may be null. */
export function idOrNull(stored: Buffer | string | null): string | null {
  return stored === null ? null : idOf(stored);
}

/** A hash of 32 bits (FNV-1a): where to look for an id that was kept, which must be compared then. */
export function hashOf(stored: Buffer | string): number {
  const id = idOf(stored);
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return hash | 0;
}
