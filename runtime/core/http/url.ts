import { type Problem, ServiceError } from "../errors/index.ts";

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

/** Parameters, by the patterns of their names, to which a rule of `readQueryString` does not apply. */
interface Exceptions {
  readonly mayRepeat?: RegExp;
  readonly mayBeEmpty?: RegExp;
}

const none: ReadonlyMap<string, string> = new Map();
const noExceptions: Exceptions = {};

/**
 * Reads a query string. A name that stands twice or has no value is a problem. Errors: 400 for what cannot be decoded and
 * for a NUL character.
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
      problems.push({ field: name, message: "stands more than once" });
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
 * Whether an `Accept` header names a media type itself, wanted at least as much as another one. A wildcard names nothing,
 * but says how much the other one is wanted. Both types are given in lower case.
 */
export function isPreferred(accept: string | undefined, mediaType: string, other: string): boolean {
  // Hardly anybody names it.
  if (accept?.toLowerCase().includes(mediaType) !== true) return false;
  const qualities = readQualities(accept);
  const wanted = qualities.get(mediaType) ?? 0;
  const wildcard = `${other.slice(0, other.indexOf("/"))}/*`;
  const otherwise = qualities.get(other) ?? qualities.get(wildcard) ?? qualities.get("*/*") ?? 0;
  return wanted > 0 && wanted >= otherwise;
}

/** One that nobody closes goes on to the end: else each quotation mark after it would be tried in its place. */
const quotedText = /"(?:\\.|[^"\\])*(?:"|\\?$)/g;

/** The quality of each media range, without its parameters: of several, the highest. */
function readQualities(accept: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  // The text of a parameter may hold what separates ranges.
  for (const range of accept.replace(quotedText, "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    qualities.set(name, Math.max(qualities.get(name) ?? 0, readQuality(parameters)));
  }
  return qualities;
}

/** The weight of a range: 1 without one, and 0, which refuses it, where it is malformed. */
function readQuality(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
