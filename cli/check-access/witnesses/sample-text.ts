/** Makes a text. */
type Make = () => string;

/** A text that probably matches a regular expression of RE2. The caller tests it, and can try again. */
export function textMatching(pattern: string, random: () => number): string {
  let at = 0;
  const picked = (texts: readonly string[]) => texts[Math.floor(random() * texts.length)] ?? "";
  const read = (part: RegExp): RegExpExecArray | null => {
    const found = new RegExp(part.source, "suy");
    found.lastIndex = at;
    const match = found.exec(pattern);
    at += match?.[0].length ?? 0;
    return match;
  };
  const alternatives = (): Make => {
    const ways = [sequence()];
    while (read(/\|/)) ways.push(sequence());
    return () => ways[Math.floor(random() * ways.length)]?.() ?? "";
  };
  const sequence = (): Make => {
    const parts: Make[] = [];
    while (at < pattern.length && !"|)".includes(pattern[at] ?? "")) {
      const part = atom();
      const [least, most] = repetitions();
      // Rather many: longer texts are less often equal.
      const range = Math.min(most, least + 4) - least;
      parts.push(() => {
        const times = least + range - Math.floor((random() * (range + 1)) / 2);
        return Array.from({ length: times }, part).join("");
      });
    }
    return () => parts.map((part) => part()).join("");
  };
  /** The least and the greatest number of repetitions. */
  const repetitions = (): readonly [number, number] => {
    const [found, sign, least, comma, most] = read(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/) ?? [];
    if (found === undefined) return [1, 1];
    if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : 4];
    return [Number(least), comma === "" ? Number(least) : Number(most || Number(least) + 4)];
  };
  const atom = (): Make => {
    if (read(/\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?/)) {
      const inner = alternatives();
      at++;
      return inner;
    }
    const [, not, content] = read(/\[(\^?)(\]?(?:\\.|[^\]\\])*)\]/) ?? [];
    if (content !== undefined) {
      const signs = charactersIn(content);
      const allowed = not === "^" ? printable.filter((sign) => !signs.includes(sign)) : signs;
      return () => picked(allowed);
    }
    const [sign = ""] = read(/\\.|./) ?? [];
    const signs = sign === "." ? ["a"] : sign === "^" || sign === "$" ? [""] : charactersOf(sign);
    return () => picked(signs);
  };
  return alternatives()();
}

const digits = [..."0123456789"];
const words = [..."abcdefghijklmnopqrstuvwxyz", ...digits];
const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
// biome-ignore format: one case a line
const classes: Readonly<Record<string, readonly string[]>> = {
  d: digits, w: words, s: [" "], D: ["a"], W: ["-"], S: ["a"], n: ["\n"], t: ["\t"], b: [""], B: [""], A: [""], z: [""],
};

function charactersOf(sign: string): readonly string[] {
  const escaped = sign.startsWith("\\") ? sign.slice(1) : null;
  return escaped === null ? [sign] : (classes[escaped] ?? [escaped]);
}

/** The characters of a class, such as `a-z_\d`. */
function charactersIn(content: string): string[] {
  return [...content.matchAll(/(\\.|[^\\])(?:-(\\.|[^\\]))?/gsu)].flatMap(([, low = "", high]) => {
    const first = charactersOf(low);
    if (high === undefined) return first;
    const last = charactersOf(high);
    if (first.length > 1 || last.length > 1) return [...first, "-", ...last];
    const [from, to] = [first[0]?.charCodeAt(0) ?? 0, last[0]?.charCodeAt(0) ?? 0];
    return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
  });
}
