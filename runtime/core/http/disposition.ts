import contentDisposition from "content-disposition";

/** `Content-Disposition` for a file name, in ASCII. Characters that end a name on some system become `_`. */
export function dispositionOf(type: "inline" | "attachment", name: string): string {
  const safe = name.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  // Without a fallback the package writes Latin-1, which not every proxy passes on.
  return contentDisposition(safe, { type, fallback: safe.replace(/[^\x20-\x7e]/gu, "_") });
}
