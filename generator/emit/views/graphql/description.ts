import { visible } from "../../literal.ts";

/** Prints a description as GraphQL has it: in quotes, or as a block where it has several lines. */
export function description(text: string | null, indent: string): string | null {
  if (text === null || text.trim() === "") return null;
  const lines = text
    .toWellFormed()
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => visible(line.trimEnd()));
  const [only = ""] = lines;
  if (lines.length === 1) return stringValue(only);
  const block = lines.map((line) => line.replaceAll('"""', '\\"""'));
  return ['"""', ...block, '"""'].join(`\n${indent}`).replace(/[ \t]+$/gm, "");
}

/** Prints a string of GraphQL. Its escapes are those of JSON. */
export function stringValue(text: string): string {
  return visible(JSON.stringify(text.toWellFormed()));
}
