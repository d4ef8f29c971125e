import type { IncomingHttpHeaders } from "node:http";
import type { ByteRange, FileInfo } from "../stores/file-store.ts";

/** What a request for a file comes to: a status, and of 206 the part that is sent. */
export type FileOutcome =
  | { readonly status: 200 | 304 | 412 | 416; readonly range?: undefined }
  | { readonly status: 206; readonly range: ByteRange };

const conditions = ["if-match", "if-none-match", "range"] as const;

/** Whether all of the file is asked for, whatever its state. */
export function isUnconditional(headers: IncomingHttpHeaders): boolean {
  return conditions.every((name) => headers[name] === undefined);
}

/** Judges conditions in the order of RFC 9110, section 13.2.2. There are no times to compare: tags say more. */
export function outcomeOf(
  method: string,
  headers: IncomingHttpHeaders,
  { etag, size }: Pick<FileInfo, "etag" | "size">,
): FileOutcome {
  const [match, noneMatch] = [headers["if-match"], headers["if-none-match"]];
  if (match !== undefined && !tagsOf(match, etag).includes(etag)) return { status: 412 };
  // A weak tag is as good here: the bytes need not be the same.
  if (noneMatch !== undefined && tagsOf(noneMatch.replaceAll("W/", ""), etag).includes(etag))
    return { status: 304 };
  const condition = headers["if-range"];
  if (method !== "GET" || (condition !== undefined && condition !== etag)) return { status: 200 };
  return rangeOf(headers.range ?? "", size);
}

/** The tags of a list; `*` stands for whatever there is. */
function tagsOf(list: string, etag: string): readonly string[] {
  return list.trim() === "*" ? [etag] : (list.match(/(W\/)?"[^"]*"/g) ?? []);
}

/** One part in bytes. All of the file for several parts, and for what is no range. */
function rangeOf(header: string, size: number): FileOutcome {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? [];
  if (first === "") {
    if (last === "" || size === 0) return { status: 200 };
    return within({ start: Math.max(0, size - Number(last)), end: size - 1 }, size);
  }
  const end = last === "" ? size - 1 : Number(last);
  if (last !== "" && end < Number(first)) return { status: 200 };
  return within({ start: Number(first), end: Math.min(end, size - 1) }, size);
}

function within(range: ByteRange, size: number): FileOutcome {
  return range.start < size ? { status: 206, range } : { status: 416 };
}
