import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** Loaded with the first XML, which few providers send. */
const loadParser = (): typeof import("saxes") => require("saxes");

/**
 * An element: its attributes and elements by name, an element that stands more than once as a list; its text as `#text`, where
 * it has one beside these.
 */
type Element = Record<string, unknown>;

const longestDepth = 32;

/**
 * Parses XML: `{root: …}`, where an element with text alone is that text. Names have no prefix. A document type is refused,
 * so that there are no entities but those of XML itself. Throws on what is malformed.
 */
export function parseXml(text: string): Element {
  const root = emptyElement();
  const path: { readonly name: string; readonly element: Element; text: string }[] = [];
  const parser = new (loadParser().SaxesParser)();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("a document type is refused");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (path.length >= longestDepth) throw new Error("too deep");
    const element = emptyElement();
    for (const [key, value] of Object.entries(attributes)) element[localName(key)] = value;
    path.push({ name: localName(name), element, text: "" });
  });
  const addText = (part: string) => {
    const open = path.at(-1);
    if (open !== undefined) open.text += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const closed = path.pop();
    if (closed === undefined) return;
    const { name, element, text: own } = closed;
    const words = own.trim();
    if (Object.keys(element).length > 0 && words !== "") element["#text"] = words;
    const value = Object.keys(element).length === 0 ? words : element;
    const parent = path.at(-1)?.element ?? root;
    const before = parent[name];
    if (before === undefined) parent[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else parent[name] = [before, value];
  });
  parser.write(text).close();
  return root;
}

/** Without a prototype: any name may stand in it. */
function emptyElement(): Element {
  const element: Element = {};
  return Object.setPrototypeOf(element, null);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
