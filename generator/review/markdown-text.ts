import { visible } from "../emit/literal.ts";

/** Any text as a code span: nothing in it is markup, HTML, a mention or a link, and it stays on its line. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "(nothing)";
  const fence = "`".repeat(longestRun(shown) + 1);
  // Blanks inside the fence are dropped where they stand on both sides.
  const pad = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Our own words, which may hold names of models, as text in which nothing is markup or HTML. */
export function plain(text: string): string {
  return visible(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_{}[\]#|~!@]/g, "\\$&");
}

/** Lines and characters of a block; the log of the run has all. */
const blockLines = 60;
const lineLength = 300;

/** Text of several lines as a block of code, cut where it is long; nothing in it ends the block. */
export function fenced(text: string): string {
  const all = text.replace(/^\n+|\s+$/g, "").split("\n");
  const lines = all.slice(0, blockLines).map(shortened);
  if (all.length > blockLines) lines.push(`… and ${all.length - blockLines} more lines`);
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [fence, ...lines, fence].join("\n");
}

function shortened(line: string): string {
  const characters = [...visible(line)];
  return characters.length <= lineLength
    ? characters.join("")
    : `${characters.slice(0, lineLength).join("")}…`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
