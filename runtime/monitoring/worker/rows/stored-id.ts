import { mask } from "../../../masking/index.ts";

/** An id as it is kept: 16 bytes for a UUID, which most are, else its text. Callers name their requests, and may take a token for that. */
export function storedId(id: string): Buffer | string {
  return bytesOfUuid(id) ?? mask(id);
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

/** A hash of 32 bits (FNV-1a): where to look for an id that was kept, which must be compared then. Of the text that `idOf` gives. */
export function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return hash | 0;
}

/** Where the two digits of each byte stand, and where the dashes. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
const dashes = [8, 13, 18, 23] as const;
const dash = "-".charCodeAt(0);
/** What each character up to `f` is worth as a digit; -1: it is none. */
const digits = Int8Array.from({ length: "f".charCodeAt(0) + 1 }, (_, code) =>
  "0123456789abcdef".indexOf(String.fromCharCode(code)),
);

/** Of a UUID in lower case; null: it is none. Digit by digit: a pattern and `Buffer.from` take several times as long. */
function bytesOfUuid(id: string): Buffer | null {
  if (id.length !== 36) return null;
  for (const place of dashes) {
    if (id.charCodeAt(place) !== dash) return null;
  }
  const bytes = Buffer.allocUnsafe(places.length);
  for (const [index, place] of places.entries()) {
    const high = digits[id.charCodeAt(place)] ?? -1;
    const low = digits[id.charCodeAt(place + 1)] ?? -1;
    if (high < 0 || low < 0) return null;
    bytes[index] = high * 16 + low;
  }
  return bytes;
}
