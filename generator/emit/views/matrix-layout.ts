import { stringLiteral } from "../literal.ts";

/** The text for an empty list. */
export const none = "–";

/** The text for the rows of a rule without a condition. */
export const allRows = "all rows";

/** The rows of a rule. If it names fields, it counts only for writes that send no other ones. */
export function rowsWithFields(rows: string, fields: readonly string[] | null): string {
  return fields === null ? rows : `${rows} [fields: ${[...fields].sort().join(", ")}]`;
}

/** The reverse of `rowsWithFields`. */
export function splitRows(text: string): {
  readonly rows: string;
  readonly fields: readonly string[] | null;
} {
  const [, rows, fields] = /^(.+) \[fields: ([\w, ]+)\]$/.exec(text) ?? [];
  return rows === undefined || fields === undefined
    ? { rows: text, fields: null }
    : { rows, fields: fields.split(", ") };
}

/** A role as one word, in quotes if it is not a plain word. */
export function roleText(role: string): string {
  return /^[A-Za-z0-9_*.@:-]+$/.test(role) ? role : stringLiteral(role);
}

/** Values begin in one column. A longer label shifts only its own line, so that the diff stays small. */
const labelWidth = 35;

/** Longest line. A text in quotes is never broken, so a line with one can be longer. */
const lineWidth = 160;

/** Where lines can be broken: after a comma, before AND and OR. Texts in quotes come first, because they stay whole. */
const breaks = /'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|(?<=,) | (?=(?:AND|OR) )/g;

/** Paths can also be broken before a relation. */
const pathBreaks = /(?<=,) (?=\w)| (?=[<>] )/g;

/** How deep continued lines are indented more than the line that they continue. */
const deeper = 4;

/** A label and its value, with continued lines. `indent` is 2 for the lines of a block, and 4 for those below them. */
export function matrixLine(indent: 2 | 4, label: string, value: string, isPath = false): string {
  const text = `${label.padEnd(labelWidth - indent - 2)}  ${value}`;
  const lines: string[] = [];
  for (const part of partsOf(text, isPath ? pathBreaks : breaks)) {
    const start = lines.length <= 1 ? indent : indent + deeper;
    const last = lines.at(-1);
    if (last !== undefined && start + last.length + 1 + part.length <= lineWidth)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return lines.map((line, index) => " ".repeat(index === 0 ? indent : indent + deeper) + line).join("\n");
}

function partsOf(text: string, at: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(at)) {
    if (found !== " ") continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return [...parts, text.slice(start)];
}

/** The lines of a text, each with its continued lines. */
export function matrixLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split("\n")) {
    const last = lines.at(-1);
    if (last !== undefined && /^ {6}(?: {2})?\S/.test(line))
      lines[lines.length - 1] = `${last} ${line.trimStart()}`;
    else lines.push(line);
  }
  return lines;
}
