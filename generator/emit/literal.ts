import type { Json } from "../../vocabulary/json.ts";

/** Line breaks, control characters, and format characters that can hide text. */
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Writes invisible and control characters as `\uXXXX`, so that reviewers see the text as it is. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Prints a string as a TypeScript literal in double quotes. */
export function stringLiteral(text: string): string {
  // `${` looks like a forgotten template to readers and to the linter.
  return escapeInvisible(JSON.stringify(text)).replaceAll("${", "\\u0024{");
}

/** A property with this name makes an object look like a promise, which the linter rejects. Printed strings never look like this. */
export const thenProperty = '"then"';

/** Prints the name of a property, in quotes unless it is an identifier. */
export function propertyName(name: string): string {
  // `__proto__: x` would set the prototype of the object instead of a property.
  if (name === "__proto__") return '["__proto__"]';
  if (name === "then") return thenProperty;
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : stringLiteral(name);
}

/** Prints JSON data as a TypeScript literal on one line. The formatter breaks long lines. */
export function literal(value: Json): string {
  if (typeof value === "string") return stringLiteral(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(literal).join(", ")}]`;
  const properties = Object.entries(value).map(([name, part]) => `${propertyName(name)}: ${literal(part)}`);
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`;
}

/** Directives in comments that suppress the compiler or the linter. */
const directives = /(?<!\w)@(?=ts-)|(?<=biome)-(?=ignore)/g;

/** Prints a description as a doc comment. It cannot end the comment, hide text or suppress a tool. */
export function docComment(description: string | null): string | null {
  if (description === null || description.trim() === "") return null;
  const lines = trimmedLines(description).map((line) =>
    line.replaceAll("*/", "*\\/").replace(directives, "\\$&"),
  );
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** Prints a GraphQL description: in quotes, or as a block if it has several lines. */
export function graphqlDescription(text: string | null, indent: string): string | null {
  if (text === null || text.trim() === "") return null;
  const lines = trimmedLines(text.toWellFormed());
  // GraphQL strings have the same escapes as JSON.
  if (lines.length === 1) return escapeInvisible(JSON.stringify(lines[0]));
  const block = lines.map((line) => line.replaceAll('"""', '\\"""'));
  return ['"""', ...block, '"""'].join(`\n${indent}`).replace(/[ \t]+$/gm, "");
}

/** The lines of a text, without surrounding and trailing whitespace. */
function trimmedLines(text: string): string[] {
  const lines = text.trim().split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.map((line) => escapeInvisible(line.trimEnd()));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
