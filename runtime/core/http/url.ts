import { type Problem, ServiceError } from "../errors/index.ts";

/** The error for a URL whose percent-encoding is not valid text. */
export function undecodableUrl(): ServiceError {
  return new ServiceError("VALIDATION_ERROR", "The URL cannot be decoded.");
}

/** Decodes a part of a URL once. Errors: 400 if it is not percent-encoded UTF-8, or has a NUL character. */
export function decodePart(part: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    throw undecodableUrl();
  }
  // PostgreSQL cannot store it.
  if (decoded.includes("\0")) throw new ServiceError("VALIDATION_ERROR", "The URL contains a NUL character.");
  return decoded;
}

/** The segments of a path, each decoded once; null if that fails. */
export function decodeSegments(segments: readonly string[]): readonly string[] | null {
  try {
    return segments.map(decodePart);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

export function requireDecodable(url: string): void {
  decodePart(url);
}

/** Path and query of a request target, also in absolute form, `http://host/path`. */
export function splitUrl(target: string): { readonly path: string; readonly query: string } {
  const url = target.startsWith("/") ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  const mark = url.indexOf("?");
  return mark === -1 ? { path: url, query: "" } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

/** Names that are exempt from a rule of `readQueryString`. */
interface Exceptions {
  readonly mayRepeat?: RegExp;
  readonly mayBeEmpty?: RegExp;
}

const none: ReadonlyMap<string, string> = new Map();
const noExceptions: Exceptions = {};

/**
 * Reads a query string. Adds repeated names and empty values to `problems`. Errors: 400 for text that cannot
 * be decoded or has a NUL character.
 */
export function readQueryString(
  text: string,
  problems: Problem[],
  { mayRepeat, mayBeEmpty }: Exceptions = noExceptions,
): ReadonlyMap<string, string> {
  if (text === "") return none;
  const parameters = new Map<string, string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    if (parameters.has(name) && mayRepeat?.test(name) !== true)
      problems.push({ field: name, message: "is used more than once" });
    if (value === "" && mayBeEmpty?.test(name) !== true) problems.push({ field: name, message: "is empty" });
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  return decodePart(text.replaceAll("+", " "));
}

/**
 * Whether an `Accept` header names a media type, with at least the preference of another type. A wildcard
 * does not name it, but counts for the other one. Both types are in lower case.
 */
export function isPreferred(accept: string | undefined, mediaType: string, other: string): boolean {
  // Fast path: clients rarely name it.
  if (accept?.toLowerCase().includes(mediaType) !== true) return false;
  const qualities = readQualities(accept);
  const wanted = qualities.get(mediaType) ?? 0;
  const wildcard = `${other.slice(0, other.indexOf("/"))}/*`;
  const otherwise = qualities.get(other) ?? qualities.get(wildcard) ?? qualities.get("*/*") ?? 0;
  return wanted > 0 && wanted >= otherwise;
}

/** Without a closing quote, the string goes to the end. Otherwise each later quote would be tried. */
const quotedText = /"(?:\\.|[^"\\])*(?:"|\\?$)/g;

/** The quality of each media range. A repeated media range has its highest quality. */
function readQualities(accept: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  // Quoted parameters can contain commas.
  for (const range of accept.replace(quotedText, "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    qualities.set(name, Math.max(qualities.get(name) ?? 0, readQuality(parameters)));
  }
  return qualities;
}

/** Default 1; 0 (not accepted) if it is malformed. */
function readQuality(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
