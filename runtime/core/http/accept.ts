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
