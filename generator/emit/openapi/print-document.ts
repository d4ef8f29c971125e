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

/**
 * The layout of a value, so that a new field or role changes few lines. `fitting`: on one line if it is short. `shared`: the same, for
 * an object that has several places of one depth.
 */
type Layout = "one line" | "fitting" | "shared" | Broken;

const entries: Broken = { of: () => "fitting" };
const operation: Broken = {
  of: (name) => (name === "x-kirak-access" ? "one line" : name === "responses" ? "shared" : "fitting"),
};
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
  // Texts of names, of schemas that many filters share, and of responses that many operations share.
  const known = new Map<unknown, string>();

  function print(value: unknown, layout: Layout, indent: string): string {
    if (layout === "one line" || layout === "shared") {
      const found = known.get(value);
      if (found !== undefined) return found;
      const text = layout === "shared" ? print(value, "fitting", indent) : oneLine(value);
      known.set(value, text);
      return text;
    }
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
      pieces.push(print(name, "one line", ""), ": ", print(value, of(name), indent));
      field = own;
    }
  }

  return print(document, whole, "");
}

/** The field of a filter: `title` of `title__not_in`. */
function fieldOf(filter: string): string {
  return filter.includes("__") ? filter.replace(/(?<=.)__[a-z]+(?:_[a-z]+)*$/, "") : filter;
}

/** Prints `{"a": [1, 2]}`. An empty text if this is longer than `capacity`, and the value has parts. */
function oneLine(value: unknown, capacity = Infinity): string {
  const compact = JSON.stringify(value);
  if (typeof value !== "object" || value === null) return escapeInvisible(compact);
  if (compact.length > capacity) return "";
  // Texts have no line breaks in JSON.
  const text = escapeInvisible(JSON.stringify(value, null, 1).replace(/,\n */g, ", ").replace(/\n */g, ""));
  return text.length > capacity ? "" : text;
}
