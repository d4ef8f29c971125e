import { ServiceError } from "../errors/index.ts";

/** A URL whose percent-encoding makes no text. */
export function undecodableUrl(): ServiceError {
  return new ServiceError("VALIDATION_ERROR", "The URL cannot be decoded.");
}

/** A part of a URL, decoded once. Errors: 400 where it makes no text, or holds a NUL character (decisions, part 2). */
export function decodePart(part: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    throw undecodableUrl();
  }
  // Nothing stores it.
  if (decoded.includes("\0")) throw new ServiceError("VALIDATION_ERROR", "The URL contains a NUL character.");
  return decoded;
}

/** Segments of a path, each decoded once; null where that cannot be done: such a path leads to nothing. */
export function decodeSegments(segments: readonly string[]): readonly string[] | null {
  try {
    return segments.map(decodePart);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/** Refuses a URL that makes no text, or holds a NUL character, wherever in it that is. */
export function requireDecodable(url: string): void {
  decodePart(url);
}

/** Path and query of a request target. Also takes the absolute form, `http://host/path`, which servers must accept. */
export function splitUrl(target: string): { readonly path: string; readonly query: string } {
  const url = target.startsWith("/") ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  const mark = url.indexOf("?");
  return mark === -1 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}
