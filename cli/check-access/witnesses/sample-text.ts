/** The parts of a regular expression that `textMatching` makes texts of. */
interface Reader {
  readonly pattern: string;
  at: number;
  readonly random: () => number;
}

/** A text that probably matches a regular expression of RE2; the caller tests it. Lookups of words and Unicode classes are guessed. */
export function textMatching(pattern: string, random: () => number): string {
  return alternatives({ pattern, at: 0, random });
}

function alternatives(reader: Reader): string {
  const texts = [sequence(reader)];
  while (reader.pattern[reader.at] === "|") {
    reader.at++;
    texts.push(sequence(reader));
  }
  return picked(texts, reader) ?? "";
}

function sequence(reader: Reader): string {
  let text = "";
  while (reader.at < reader.pattern.length && !"|)".includes(reader.pattern[reader.at] ?? "")) {
    const start = reader.at;
    const first = atom(reader);
    const end = reader.at;
    const [least, most] = repetitions(reader);
    const after = reader.at;
    const times = least + Math.floor(reader.random() * (Math.min(most, least + 4) - least + 1));
    if (times > 0) text += first;
    for (let count = 1; count < times; count++) {
      reader.at = start;
      text += atom(reader);
      if (reader.at !== end) break;
    }
    reader.at = after;
  }
  return text;
}

/** The least and the greatest number of repetitions that follow. */
function repetitions(reader: Reader): readonly [number, number] {
  const [found, sign, least, comma, most] =
    /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(reader.pattern.slice(reader.at)) ?? [];
  if (found === undefined) return [1, 1];
  reader.at += found.length;
  if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : 4];
  const first = Number(least);
  if (comma === "") return [first, first];
  return [first, most === "" ? first + 4 : Number(most)];
}

function atom(reader: Reader): string {
  const { pattern } = reader;
  const sign = pattern[reader.at++] ?? "";
  switch (sign) {
    case "^":
    case "$":
      return "";
    case ".":
      return "a";
    case "(": {
      const [flags = ""] = /^\?(?:P?<\w+>|[a-zA-Z-]*:)/.exec(pattern.slice(reader.at)) ?? [];
      reader.at += flags.length;
      const text = alternatives(reader);
      reader.at++;
      return text;
    }
    case "[":
      return picked(charactersOfClass(reader), reader) ?? "";
    case "\\":
      return picked(escaped(pattern[reader.at++] ?? ""), reader) ?? "";
    default:
      return sign;
  }
}

const digits = [..."0123456789"];
const words = [..."abcdefghijklmnopqrstuvwxyz", ...digits];
const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));

function escaped(sign: string): readonly string[] {
  // biome-ignore format: one case a line
  const classes: Readonly<Record<string, readonly string[]>> = {
    d: digits, w: words, s: [" "], D: ["a"], W: ["-"], S: ["a"], n: ["\n"], t: ["\t"], b: [""], B: [""], A: [""], z: [""],
  };
  return classes[sign] ?? [sign];
}

function charactersOfClass(reader: Reader): readonly string[] {
  const { pattern } = reader;
  const negated = pattern[reader.at] === "^";
  if (negated) reader.at++;
  const found: string[] = [];
  for (let first = true; reader.at < pattern.length && (first || pattern[reader.at] !== "]"); first = false) {
    const sign = pattern[reader.at++] ?? "";
    const signs = sign === "\\" ? escaped(pattern[reader.at++] ?? "") : [sign];
    const [low = "", , high = ""] = [signs[0], pattern[reader.at], pattern[reader.at + 1]];
    const isRange = signs.length === 1 && pattern[reader.at] === "-" && high !== "]" && high !== "";
    if (!isRange) found.push(...signs);
    else {
      reader.at += 2;
      const [from, to] = [low.charCodeAt(0), high.charCodeAt(0)];
      for (let code = from; code <= to; code++) found.push(String.fromCharCode(code));
    }
  }
  reader.at++;
  return negated ? printable.filter((sign) => !found.includes(sign)) : found;
}

function picked(texts: readonly string[], { random }: Reader): string | undefined {
  return texts[Math.floor(random() * texts.length)];
}
