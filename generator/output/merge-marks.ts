const marks = /^<{7} [\s\S]*^={7}$[\s\S]*^>{7} /m;

/** Whether a text has unresolved conflict marks. */
export function hasMergeMarks(text: string): boolean {
  return marks.test(text);
}

type Part = "both" | "ours" | "base" | "theirs";

const partAfter: Readonly<Record<string, Part>> = {
  "<<<<<<<": "ours",
  "|||||||": "base",
  "=======": "theirs",
  ">>>>>>>": "both",
};

/** The two sides of a text with conflict marks. */
export function mergedSides(text: string): [ours: string, theirs: string] {
  let part: Part = "both";
  const lines = text.split("\n").map((line) => {
    const next = partAfter[line.slice(0, 7)];
    part = next ?? part;
    return { line, part: next === undefined ? part : "base" };
  });
  const without = (other: Part) =>
    lines.flatMap((entry) => (entry.part === "base" || entry.part === other ? [] : [entry.line])).join("\n");
  return [without("theirs"), without("ours")];
}
