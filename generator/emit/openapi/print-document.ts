import type { Json } from "../../../vocabulary/json.ts";
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

/** Prints a document as JSON. */
export function printDocument(document: OpenApiDocument): string {
  const names = namesOnly(document);
  const layoutOf = (pointer: string): Layout => {
    if (names.has(pointer)) return "one line";
    return layouts.find(([pattern]) => pattern.test(pointer))?.[1] ?? "fitting";
  };
  return `${print(JSON.parse(JSON.stringify(document)), "", "", layoutOf)}\n`;
}

/** The pointers of schemas that only list the names of a model's fields. */
function namesOnly({ components }: OpenApiDocument): ReadonlySet<string> {
  const suffixes = ["", "Create", "Update", "Upsert", "Restore", "Field"];
  const models = Object.keys(components.schemas).filter((name) => name.endsWith("Part"));
  const names = models.flatMap((part) => suffixes.map((suffix) => part.replace(/Part$/, suffix)));
  return new Set(names.map((name) => `/components/schemas/${name}`));
}

function print(value: Json, pointer: string, indent: string, layoutOf: (pointer: string) => Layout): string {
  const layout = layoutOf(pointer);
  if (value === null || typeof value !== "object" || layout === "one line") return oneLine(value);
  if (layout === "fitting") {
    const text = oneLine(value);
    if (text.length <= widest) return text;
  }
  const inner = `${indent}  `;
  const part = (name: string, child: Json) =>
    print(child, `${pointer}/${name.replaceAll("/", "~1")}`, inner, layoutOf);
  if (isList(value)) {
    const lines = value.map((child, index) => inner + part(String(index), child));
    return lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).map(([name, child]) => ({
    name,
    text: `${key(name)}${part(name, child)}`,
  }));
  const lines = layout === "groups" ? grouped(entries) : entries.map(({ text }) => text);
  return lines.length === 0 ? "{}" : `{\n${lines.map((line) => inner + line).join(",\n")}\n${indent}}`;
}

/** The filters of a field, such as `title` and `title__in`, in one line. */
function grouped(entries: readonly { readonly name: string; readonly text: string }[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { name, text } of entries) {
    const field = name.replace(/(?<=.)__[a-z_]+$/, "");
    groups.set(field, [...(groups.get(field) ?? []), text]);
  }
  return [...groups.values()].map((texts) => texts.join(", "));
}

function oneLine(value: Json): string {
  if (value === null || typeof value !== "object") return escapeInvisible(JSON.stringify(value));
  if (isList(value)) return `[${value.map(oneLine).join(", ")}]`;
  return `{${Object.entries(value)
    .map(([name, child]) => key(name) + oneLine(child))
    .join(", ")}}`;
}

function key(name: string): string {
  return `${escapeInvisible(JSON.stringify(name))}: `;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
