/** A family of an OpenMetrics exposition. */
export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string | null;
  readonly samples: MetricSample[];
}

export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const familyName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const number = /^[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[iI]nf(?:inity)?|[nN]a[nN])$/;
/** What names of samples may add to that of their family, by type. */
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: ["_total", "_created"],
  gauge: [""],
  histogram: ["_bucket", "_count", "_sum", "_created"],
  summary: ["", "_count", "_sum", "_created"],
  info: ["_info"],
  stateset: [""],
  unknown: [""],
};

/**
 * Reads OpenMetrics 1.0 text as strictly as its specification has it, and throws on what it forbids: exemplars and time stamps
 * included, which nothing here sends.
 */
export function readOpenMetrics(text: string): MetricFamily[] {
  if (!text.endsWith("\n# EOF\n")) throw new Error("it does not end with # EOF and a line feed");
  const lines = text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1);
  const families: (MetricFamily & { type: string; help: string | null })[] = [];
  const seen = new Set<string>();
  for (const line of lines) {
    const [, kind, name = "", rest = ""] = /^# (TYPE|HELP|UNIT) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === undefined) {
      const family = families.at(-1);
      if (family === undefined) throw new Error(`a sample of no family: ${line}`);
      family.samples.push(sampleOf(line, family));
      continue;
    }
    if (!familyName.test(name)) throw new Error(`the name of a family is malformed: ${line}`);
    if (families.at(-1)?.name !== name) {
      if (seen.has(name)) throw new Error(`a family stands twice: ${name}`);
      seen.add(name);
      families.push({ name, type: "unknown", help: null, samples: [] });
    }
    const family = families.at(-1);
    if (family === undefined || family.samples.length > 0) throw new Error(`it comes after samples: ${line}`);
    if (kind === "UNIT" && !name.endsWith(`_${rest}`)) throw new Error(`the name lacks its unit: ${line}`);
    if (kind === "HELP") family.help = unescaped(rest, /^(?:[^\\"\n]|\\[\\n"])*$/);
    if (kind === "TYPE") family.type = rest;
    if (!(family.type in suffixes)) throw new Error(`an unknown type: ${line}`);
  }
  requireNoClash(families);
  for (const family of families) checkFamily(family);
  return families;
}

function sampleOf(line: string, { name: family, type }: MetricFamily): MetricSample {
  const [, name = "", labels = "", value = ""] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)$/.exec(line) ?? [];
  if (!number.test(value)) throw new Error(`a malformed sample: ${line}`);
  if (!(suffixes[type] ?? []).some((suffix) => name === family + suffix))
    throw new Error(`the sample does not belong to its family ${family}, a ${type}: ${line}`);
  return { name, labels: labelsOf(labels, line), value: numberOf(value) };
}

function labelsOf(text: string, line: string): Record<string, string> {
  const found: Record<string, string> = {};
  let rest = text;
  while (rest !== "") {
    const [all = "", name = "", value = ""] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,(?=[a-zA-Z_])|$)/.exec(rest) ?? [];
    if (all === "" || name in found) throw new Error(`malformed labels: ${line}`);
    found[name] = unescaped(value, /^/);
    rest = rest.slice(all.length);
  }
  return found;
}

function unescaped(text: string, form: RegExp): string {
  if (!form.test(text)) throw new Error(`malformed escapes: ${text}`);
  return text.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : String(character)));
}

function numberOf(text: string): number {
  if (/nan/i.test(text)) return Number.NaN;
  return /inf/i.test(text) ? (text.startsWith("-") ? -1 : 1) * Number.POSITIVE_INFINITY : Number(text);
}

/** The names of samples that two families may have are the same. */
function requireNoClash(families: readonly MetricFamily[]): void {
  const names = new Map<string, string>();
  for (const { name, type } of families)
    for (const suffix of suffixes[type] ?? []) {
      const taken = names.get(name + suffix);
      if (taken !== undefined) throw new Error(`${taken} and ${name} clash`);
      names.set(name + suffix, name);
    }
}

function checkFamily({ name, type, samples }: MetricFamily): void {
  const keys = samples.map((sample) => sample.name + keyOf(sample.labels));
  if (new Set(keys).size !== keys.length) throw new Error(`a sample of ${name} stands twice`);
  const isCount = type === "counter" || type === "histogram";
  if (isCount && samples.some(({ value }) => !(value >= 0 && value < Number.POSITIVE_INFINITY)))
    throw new Error(`a count of ${name} is negative or no number`);
  if (type === "histogram") checkHistogram(name, samples);
}

const keyOf = (labels: Readonly<Record<string, string>>) =>
  JSON.stringify(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Buckets of a series stand together, in order, up to +Inf, which is the count; then come count and sum. */
function checkHistogram(name: string, samples: readonly MetricSample[]): void {
  const series = new Map<string, MetricSample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = keyOf(labels);
    const isLast = [...series.keys()].at(-1) === key;
    if (series.has(key) && !isLast) throw new Error(`the samples of a series of ${name} are scattered`);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, ofSeries] of series) {
    const buckets = ofSeries.filter((sample) => sample.name === `${name}_bucket`);
    const edges = buckets.map(({ labels }) => canonicalEdge(labels["le"] ?? ""));
    const counts = buckets.map(({ value }) => value);
    const isRising = (numbers: readonly number[]) =>
      numbers.every((value, index) => index === 0 || value >= (numbers[index - 1] ?? 0));
    if (!isRising(edges) || new Set(edges).size !== edges.length || !isRising(counts))
      throw new Error(`the buckets of ${name}${key} are not in order`);
    const count = ofSeries.find((sample) => sample.name === `${name}_count`)?.value;
    if (edges.at(-1) !== Number.POSITIVE_INFINITY || counts.at(-1) !== count)
      throw new Error(`${name}${key} has no bucket of all`);
    if (!ofSeries.some((sample) => sample.name === `${name}_sum`))
      throw new Error(`${name}${key} has no sum`);
  }
}

/** As Go writes floats: with a fraction, or an exponent. */
function canonicalEdge(text: string): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  if (!/^\d+\.\d+$|^\d(?:\.\d+)?e[+-]\d\d$/.test(text)) throw new Error(`an edge is not canonical: ${text}`);
  return Number(text);
}

/** The value of the sample with these labels; undefined if it does not exist. */
export function sampleValue(
  families: readonly MetricFamily[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const key = keyOf(labels);
  const samples = families.flatMap((family) => family.samples);
  return samples.find((sample) => sample.name === name && keyOf(sample.labels) === key)?.value;
}
