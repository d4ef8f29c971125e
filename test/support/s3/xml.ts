import { SaxesParser, type SaxesTagPlain } from "saxes";
import { S3Error } from "./s3-error.ts";

/** An element: its name, and what is in it. */
export type XmlNode = readonly [name: string, content: string | number | boolean | readonly XmlNode[]];

const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

/** A document as S3 writes them. */
export function xmlDocument([name, content]: XmlNode, ofS3 = true): string {
  const begin = ofS3 ? `<${name} xmlns="${namespace}">` : `<${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${begin}${xmlContent(content)}</${name}>`;
}

function xmlContent(content: XmlNode[1]): string {
  if (typeof content === "object")
    return content.map(([name, inner]) => `<${name}>${xmlContent(inner)}</${name}>`).join("");
  return String(content)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** An element that was read. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Reads a document, whose root must have this name. Error: 400 `MalformedXML`. */
export function readXml(text: string, root: string): XmlElement {
  const malformed = () =>
    new S3Error(400, "MalformedXML", "The XML you provided was not well-formed or did not validate");
  const top: Building = { name: "", children: [], text: "" };
  const open = [top];
  const parser = new SaxesParser();
  parser.on("error", () => {
    throw malformed();
  });
  parser.on("opentag", ({ name }: SaxesTagPlain) => {
    const element: Building = { name, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (part) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  const [found] = top.children;
  if (found?.name !== root) throw malformed();
  return found;
}

interface Building {
  readonly name: string;
  readonly children: Building[];
  text: string;
}

/** The text of the first child of a name. */
export function textIn({ children }: XmlElement, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text;
}
