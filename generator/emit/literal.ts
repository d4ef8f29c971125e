import type { Json } from "../../vocabulary/json.ts";

/** Line breaks, control characters, and marks that make a text look different from what it does. */
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

/** A property of this name makes an object look like a promise, which the linter minds; no string prints like this. */
export const thenProperty = '"then"';

/** Prints the name of a property: bare where it is an identifier, quoted elsewhere. */
export function propertyName(name: string): string {
  // `__proto__: x` would set the prototype of the object instead of a property.
  if (name === "__proto__") return '["__proto__"]';
  if (name === "then") return thenProperty;
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : stringLiteral(name);
}

/** Prints JSON data as a TypeScript literal on one line; the formatter breaks it where it is long. */
export function literal(value: Json): string {
  if (typeof value === "string") return stringLiteral(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(literal).join(", ")}]`;
  const properties = Object.entries(value).map(([name, part]) => `${propertyName(name)}: ${literal(part)}`);
  return properties.length === 0 ? "{}" : `{ ${properties.join(", ")} }`;
}

/** Words that tell the compiler or the linter to look away, where a comment holds them. */
const directives = /(?<!\w)@(?=ts-)|(?<=biome)-(?=ignore)/g;

/** Prints a description as a doc comment; it can neither end the comment, nor hide text in it, nor silence a tool. */
export function docComment(description: string | null): string | null {
  if (description === null || description.trim() === "") return null;
  const lines = trimmedLines(description).map((line) =>
    line.replaceAll("*/", "*\\/").replace(directives, "\\$&"),
  );
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

/** Prints a description as GraphQL has it: in quotes, or as a block where it has several lines. */
export function graphqlDescription(text: string | null, indent: string): string | null {
  if (text === null || text.trim() === "") return null;
  const lines = trimmedLines(text.toWellFormed());
  // The escapes of a string of GraphQL are those of JSON.
  if (lines.length === 1) return escapeInvisible(JSON.stringify(lines[0]));
  const block = lines.map((line) => line.replaceAll('"""', '\\"""'));
  return ['"""', ...block, '"""'].join(`\n${indent}`).replace(/[ \t]+$/gm, "");
}

/** The lines of a text for its readers, without blanks around it or behind a line. */
function trimmedLines(text: string): string[] {
  const lines = text.trim().split(/\r\n|[\n\r\u2028\u2029]/);
  return lines.map((line) => escapeInvisible(line.trimEnd()));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
