import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";

/** A line to write in a models file, and where. */
export interface RenameLine {
  /** `in models/models.json:57`, or `after models/models.json:57`. */
  readonly place: string;
  readonly text: string;
}

/** The line that says the former name of what stands at one of the paths; the file holds it, as it has just been read. */
export function renameLine(
  file: string,
  source: string,
  paths: readonly (readonly string[])[],
  former: string,
): RenameLine {
  const root = parseTree(source);
  const object = paths
    .flatMap((path) => (root === undefined ? [] : (findNodeAtLocation(root, [...path]) ?? [])))
    .at(0);
  const line = `"renamed_from": ${JSON.stringify(former)}`;
  if (object === undefined) return { place: `in ${file}`, text: line };
  const stale = findNodeAtLocation(object, ["renamed_from"]);
  const at = (node: Node) => `${file}:${source.slice(0, node.offset).split("\n").length}`;
  if (stale?.parent !== undefined && textOf(object, source).includes("\n"))
    return { place: `in ${at(stale)}`, text: line + commaAfter(stale, source) };
  if (textOf(object, source).includes("\n"))
    return { place: `after ${at(object)}`, text: `${line}${object.children?.length === 0 ? "" : ","}` };
  const member = object.parent ?? object;
  const written =
    stale === undefined ? withMember(object, line, source) : withValue(object, stale, former, source);
  const key = source.slice(member.offset, object.offset);
  return { place: `in ${at(member)}`, text: key + written + commaAfter(object, source) };
}

function withMember(object: Node, line: string, source: string): string {
  const text = textOf(object, source).slice(0, -1).trimEnd();
  return `${text}${object.children?.length === 0 ? "" : ","} ${line} }`;
}

function withValue(object: Node, value: Node, text: string, source: string): string {
  const end = object.offset + object.length;
  return (
    source.slice(object.offset, value.offset) +
    JSON.stringify(text) +
    source.slice(value.offset + value.length, end)
  );
}

function textOf({ offset, length }: Node, source: string): string {
  return source.slice(offset, offset + length);
}

function commaAfter({ offset, length }: Node, source: string): string {
  return /^\s*,/.test(source.slice(offset + length)) ? "," : "";
}
