import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { escapeInvisible } from "../literal.ts";

/** Characters of a value that stays on one line. */
const widest = 160;

type Layout = "one line" | "entries" | "groups" | "fitting";

/** Layouts by JSON pointer, so that a new field or role changes few lines. `groups` has one line for all filters of a field. */
const layouts: readonly (readonly [pointer: RegExp, layout: Layout])[] = [
  [/^$|^\/(paths|components|tags|servers)$|^\/components\/[^/]+$/, "entries"],
  [/^\/paths\/[^/]+(\/[^/]+)?$/, "entries"],
  [/\/x-kirak-access$/, "one line"],
  [/^\/components\/schemas\/[^/]+Filter\/properties$/, "groups"],
  [/^\/components\/schemas\/[^/]+(Part|Input)\/properties$/, "entries"],
  [/^\/components\/schemas\/[^/]+(Part|Input|Filter)$/, "entries"],
  [/^\/components\/schemas\/[^/]+(Part|Input|Filter)\/.+$/, "one line"],
];

/** Values below this depth have no layout of their own. */
const deepest = 5;

/** Prints a document as JSON. */
export function printDocument(document: OpenApiDocument): string {
  const names = namesOnly(document);
  const layoutOf = (pointer: string, depth: number): Layout => {
    if (depth > deepest) return "fitting";
    if (names.has(pointer)) return "one line";
    return layouts.find(([pattern]) => pattern.test(pointer))?.[1] ?? "fitting";
  };
  const oneLine = onOneLine();

  function print(value: unknown, pointer: string, depth: number): string {
    if (value === null || typeof value !== "object") return oneLine(value);
    const layout = layoutOf(pointer, depth);
    if (layout === "one line") return oneLine(value);
    if (layout === "fitting" && JSON.stringify(value).length <= widest) {
      const text = oneLine(value);
      if (text.length <= widest) return text;
    }
    const indent = "  ".repeat(depth);
    const part = (name: string, child: unknown) =>
      print(child, depth < deepest ? `${pointer}/${name.replaceAll("/", "~1")}` : "", depth + 1);
    const lined = (lines: readonly string[]) => lines.map((line) => `\n${indent}  ${line}`).join(",");
    if (Array.isArray(value)) {
      const lines = value.map((child, index) => part(String(index), child));
      return lines.length === 0 ? "[]" : `[${lined(lines)}\n${indent}]`;
    }
    const entries = Object.entries(value).map(([name, child]) => ({
      name,
      text: `${oneLine(name)}: ${part(name, child)}`,
    }));
    const lines = layout === "groups" ? grouped(entries) : entries.map(({ text }) => text);
    return lines.length === 0 ? "{}" : `{${lined(lines)}\n${indent}}`;
  }

  return `${print(document, "", 0)}\n`;
}

/** The pointers of schemas that only list the names of a model's fields. */
function namesOnly({ components }: OpenApiDocument): ReadonlySet<string> {
  const suffixes = ["", "Create", "Update", "Upsert", "Restore", "Field"];
  const models = Object.keys(components.schemas).filter((name) => name.endsWith("Part"));
  const names = models.flatMap((part) => suffixes.map((suffix) => part.replace(/Part$/, suffix)));
  return new Set(names.map((name) => `/components/schemas/${name}`));
}

/** The filters of a field, such as `title` and `title__in`, in one line. */
function grouped(entries: readonly { readonly name: string; readonly text: string }[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, text } of entries) {
    const field = name.replace(/(?<=.)__[a-z]+(?:_[a-z]+)*$/, "");
    groups.set(field, [...(groups.get(field) ?? []), text]);
  }
  return [...groups.values()].map((texts) => texts.join(", "));
}

/** Makes a function that prints `{"a": [1, 2]}`. It keeps the texts, because most schemas are there many times. */
function onOneLine(): (value: unknown) => string {
  const texts = new Map<string, string>();
  return (value) => {
    const key = JSON.stringify(value);
    const known = texts.get(key);
    if (known !== undefined) return known;
    // Strings of JSON have no line breaks.
    const text = JSON.stringify(value, null, 1).replace(
      /([{[])?\n *([}\]])?/g,
      (_, opens = "", closes = "") => (opens === "" && closes === "" ? " " : opens + closes),
    );
    texts.set(key, escapeInvisible(text));
    return escapeInvisible(text);
  };
}
