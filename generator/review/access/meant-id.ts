import { didYouMean, typingDistance } from "../../../vocabulary/nearest.ts";

/** Longer differences are no typing errors, and take long to compare. */
const longest = 300;

/**
 * The question whether another entry was meant, or null. Conditions over relations make long names, of which only that part is
 * compared which is not alike at their beginnings and ends.
 */
export function meantId(id: string, known: readonly string[]): string | null {
  const short = didYouMean(id, known);
  if (short !== null) return short;
  let best: string | null = null;
  let least = Math.floor(id.length / 3) + 1;
  for (const candidate of known) {
    const [typed, meant] = difference(id.toLowerCase(), candidate.toLowerCase());
    if (Math.max(typed.length, meant.length) > longest) continue;
    const distance = typingDistance(typed, meant, least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best === null ? null : `did you mean "${best}"?`;
}

function difference(a: string, b: string): readonly [string, string] {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
