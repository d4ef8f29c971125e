import { escapeInvisible } from "#generator/emit/literal";

/** Prints the keys and values of a report, indented; null values are left out. */
export function printInfo(info: object): string {
  return `${linesOf(info, "").map(escapeInvisible).join("\n")}\n`;
}

function linesOf(part: object, indent: string): string[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (value === null) return [];
    if (typeof value !== "object") return textLines(`${indent}${key}: `, String(value), indent);
    const below = `${indent}  `;
    const inner = Array.isArray(value)
      ? value.flatMap((one) => textLines(below, oneLine(one), below))
      : linesOf(value, below);
    return inner.length === 0 ? [`${indent}${key}: none`] : [`${indent}${key}`, ...inner];
  });
}

function oneLine(value: unknown): string {
  return typeof value === "object" && value !== null ? Object.values(value).join(" ") : String(value);
}

/** Later lines of a text are indented as well. */
function textLines(start: string, text: string, indent: string): string[] {
  return text.split("\n").map((line, at) => (at === 0 ? `${start}${line}` : `${indent}  ${line}`));
}
