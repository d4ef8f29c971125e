import { visible } from "../emit/literal.ts";

/** Any text as a code span: nothing in it is markup, HTML, a mention or a link, and it stays on its line. */
export function code(text: string): string {
  const shown = visible(text);
  if (shown === "") return "(nothing)";
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
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
