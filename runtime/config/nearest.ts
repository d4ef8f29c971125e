/**
 * `; did you mean "…"?` for the known name nearest to a mistyped one, or nothing when none is near. A `prefix` that all of them
 * have stands in front of what is shown, and is not compared.
 */
export function suggestion(name: string, known: readonly string[], prefix = ""): string {
  const limit = Math.max(2, Math.floor(name.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0] === undefined ? "" : `; did you mean "${prefix}${ranked[0].candidate}"?`;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
