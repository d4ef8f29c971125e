/** Maximum length of a text that is searched for typos. */
const maxLength = 100;

/** The name in `known` with the fewest typos from `name`, ignoring case. Null if no name is similar. */
export function nearest(name: string, known: Iterable<string>): string | null {
  if (name.length > maxLength) return null;
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** A hint with the nearest name, or null if no known name is similar. */
export function didYouMean(name: string, known: Iterable<string>): string | null {
  const found = nearest(name, known);
  return found === null ? null : `did you mean "${found}"?`;
}

/** Damerau-Levenshtein distance, in its optimal-string-alignment form, at most `limit`. */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(changed, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? cost) + 1);
      current.push(cost);
    }
    // A row depends on the two rows before it, so the distance cannot become smaller again.
    if (Math.min(...previous, ...current) >= limit) return limit;
    [before, previous] = [previous, current];
  }
  return Math.min(limit, previous[b.length] ?? 0);
}

/**
 * The hint of `didYouMean` at the end of a sentence, or "". The `prefix` of all known names is shown, but not
 * compared.
 */
export function suggestion(name: string, known: Iterable<string>, prefix = ""): string {
  const found = nearest(name, known);
  return found === null ? "" : `; did you mean "${prefix}${found}"?`;
}
