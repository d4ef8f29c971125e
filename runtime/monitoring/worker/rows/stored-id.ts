import { mask } from "../../../masking/index.ts";

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An id as the file keeps it: 16 bytes for a UUID, else its masked text, since a caller can send a token as request id. */
export function storedId(id: string): Buffer | string {
  return uuid.test(id) ? Buffer.from(id.replaceAll("-", ""), "hex") : mask(id);
}

/** The id that the file keeps. */
export function idOf(stored: Buffer | string): string {
  if (typeof stored === "string") return stored;
  return stored.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
