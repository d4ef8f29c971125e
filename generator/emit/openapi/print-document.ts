import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { escapeInvisible } from "../literal.ts";

/** Characters of a value that stays on one line. */
const widest = 160;

/** Each entry of a value in a line. `grouped`: all filters of a field, such as `title` and `title__in`, in one line. */
interface Broken {
  readonly of: (name: string) => Layout;
  readonly grouped?: boolean;
}

/** The layout of a value, so that a new field or role changes few lines. `fitting`: on one line if it is short. */
type Layout = "one line" | "fitting" | Broken;

const entries: Broken = { of: () => "fitting" };
const operation: Broken = { of: (name) => (name === "x-kirak-access" ? "one line" : "fitting") };
const paths: Broken = { of: () => ({ of: () => operation }) };
const properties: Broken = { of: () => "one line" };
const fields: Broken = { of: (name) => (name === "properties" ? properties : "one line") };
const filters: Broken = {
  of: (name) => (name === "properties" ? { ...properties, grouped: true } : "one line"),
};

/** Prints a document as JSON. */
export function printDocument(document: OpenApiDocument): string {
  const names = namesOnly(document);
  const schemas: Broken = {
    of: (name) => {
      if (names.has(name)) return "one line";
      if (name.endsWith("Filter")) return filters;
      return name.endsWith("Part") || name.endsWith("Input") ? fields : "fitting";
    },
  };
  const components: Broken = { of: (map) => (map === "schemas" ? schemas : entries) };
  const parts: Readonly<Record<string, Layout>> = { paths, components, tags: entries, servers: entries };
  const text = printed({ ...document }, { of: (name) => parts[name] ?? "fitting" });
  return `${text}\n`;
}

/** The schemas that only list the names of a model's fields. */
function namesOnly({ components }: OpenApiDocument): ReadonlySet<string> {
  const suffixes = ["", "Create", "Update", "Upsert", "Restore", "Field"];
  const models = Object.keys(components.schemas).filter((name) => name.endsWith("Part"));
  return new Set(models.flatMap((part) => suffixes.map((suffix) => part.replace(/Part$/, suffix))));
}

function printed(document: JsonObject, whole: Broken): string {
  const oneLine = onOneLine();
  // Texts of schemas, which many filters share.
  const known = new Map<unknown, string>();

  function print(value: unknown, layout: Layout, indent: string): string {
    if (layout === "one line") {
      const text = known.get(value) ?? oneLine(value, Infinity);
      known.set(value, text);
      return text;
    }
    if (typeof value !== "object") return oneLine(value, Infinity);
    const text = layout === "fitting" ? oneLine(value, widest) : "";
    if (text !== "") return text;
    const inner = `${indent}  `;
    const [pieces, end] = Array.isArray(value) ? [["["], "]"] : [["{"], "}"];
    if (Array.isArray(value))
      for (const child of value)
        pieces.push(pieces.length > 1 ? ",\n" : "\n", inner, print(child, "fitting", inner));
    else if (isJsonObject(value))
      addEntries(pieces, value, typeof layout === "string" ? entries : layout, inner);
    if (pieces.length > 1) pieces.push("\n", indent);
    pieces.push(end);
    // A flat string: with concatenation the collector would have a million parts to follow.
    return pieces.join("");
  }

  function addEntries(pieces: string[], object: JsonObject, { of, grouped = false }: Broken, indent: string) {
    let field: string | null = null;
    for (const name in object) {
      const value = object[name];
      if (value === undefined) continue;
      const own = grouped ? fieldOf(name) : null;
      if (own !== null && own === field) pieces.push(", ");
      else pieces.push(pieces.length > 1 ? ",\n" : "\n", indent);
      pieces.push(oneLine(name, Infinity), ": ", print(value, of(name), indent));
      field = own;
    }
  }

  return print(document, whole, "");
}

/** The field of a filter: `title` of `title__not_in`. */
function fieldOf(filter: string): string {
  return filter.includes("__") ? filter.replace(/(?<=.)__[a-z]+(?:_[a-z]+)*$/, "") : filter;
}

/** Makes a function that prints `{"a": [1, 2]}`, or returns an empty text if this is longer than `capacity`. */
function onOneLine() {
  const known = new Map<unknown, string>();
  function inLine(value: unknown, capacity: number): string {
    if (typeof value !== "object" || value === null) {
      const text = known.get(value) ?? escapeInvisible(JSON.stringify(value));
      known.set(value, text);
      return text.length > capacity ? "" : text;
    }
    const isList = Array.isArray(value);
    let text = isList ? "[" : "{";
    for (const [name, child] of isList ? value.entries() : Object.entries(value)) {
      if (child === undefined) continue;
      if (text.length > 1) text += ", ";
      if (typeof name === "string") text += `${inLine(name, Infinity)}: `;
      const part = inLine(child, capacity - text.length - 1);
      if (part === "") return "";
      text += part;
    }
    return text + (isList ? "]" : "}");
  }
  return inLine;
}
