/** A version of a release, as semver.org has it: numbers, and of a pre-release its parts. */
interface Parts {
  readonly numbers: readonly number[];
  readonly before: readonly string[];
}

const form = /(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?/;
const exactly = new RegExp(`^${form.source}$`);

/** Whether a text is a version, such as `0.1.0` or `1.0.0-beta.1`. */
export function isVersion(text: string): boolean {
  return exactly.test(text);
}

/** The lowest version that a range of package.json allows, such as `^0.1.0` or `>=0.1.0 <2`; null where it names none, as a tag or a folder. */
export function lowestOf(range: string): string | null {
  if (/[/:]/.test(range.replace(/^(npm|workspace):/, ""))) return null;
  return form.exec(range)?.[0] ?? null;
}

/** Below 0 where `a` comes before `b`, above 0 where after it, else 0. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [partsOf(a), partsOf(b)];
  const differing = first.numbers.map((number, index) => number - (second.numbers[index] ?? 0));
  return differing.find((difference) => difference !== 0) ?? compareBefore(first.before, second.before);
}

function partsOf(version: string): Parts {
  const [, major, minor, patch, before] = exactly.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(Number), before: before?.split(".") ?? [] };
}

/** A pre-release comes before its release. */
function compareBefore(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (part !== other) return comparePart(part, other);
  }
  return a.length - b.length;
}

function comparePart(a: string, b: string): number {
  const [first, second] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (first && second) return Number(a) - Number(b);
  if (first !== second) return first ? -1 : 1;
  return a < b ? -1 : 1;
}
