import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { type CommandFlags, commandOf } from "../../diagnostics/command.ts";
import type { Sources } from "../../diagnostics/index.ts";
import type { StopProblem } from "../../diagnostics/stop.ts";
import type { RenameCandidate } from "../rename-candidates.ts";

/** The inputs for the suggested lines. */
interface Inputs {
  readonly definition: ServiceDefinition;
  readonly sources: Sources;
  readonly flags: CommandFlags;
}

/** Reports drops that could be renames: the line to write for a rename, and the id to accept for a drop. */
export function renameProblem(alike: readonly RenameCandidate[], inputs: Inputs): StopProblem {
  const { flags } = inputs;
  const command = (ids: readonly string[]) => commandOf({ ...flags, accepted: [...flags.accepted, ...ids] });
  const details = alike.map((entry) => {
    const { id, former, names, model } = entry;
    const [prefix, values] = model === null ? ["", "rows"] : [`${model}.`, "values"];
    const lines = names.map((name) =>
      keeping(values, names.length > 1 ? ` in ${name}` : "", name, entry, inputs),
    );
    return (
      `${prefix}${former} is removed and ${names.map((name) => prefix + name).join(" or ")} added: a rename?\n` +
      `${lines.join("")}  to drop them, ${command([id])}\n`
    );
  });
  return {
    kind: "rename",
    message: "a removal and a similar addition could be a rename",
    details: details.join(""),
    fix: `decide: write the lines above, or ${command(alike.map(({ id }) => id))}`,
  };
}

function keeping(
  values: string,
  where: string,
  name: string,
  { model, former }: RenameCandidate,
  { definition, sources }: Inputs,
): string {
  const file = definition.models.find(({ key }) => key === (model ?? name))?.source ?? definition.source;
  const paths = model === null ? [[name]] : ["fields", "schema"].map((section) => [model, section, name]);
  const { place, text } = renameLine(file, sources.get(file) ?? "", paths, former);
  return `  to keep the ${values}${where}, write ${place}\n      ${text}\n`;
}

/** A line to write in a models file, and where. */
interface RenameLine {
  /** `in models/models.json:57`, or `after models/models.json:57`. */
  readonly place: string;
  readonly text: string;
}

/** The `renamed_from` line for the model or field at one of the paths. The file has it, because it has just been read. */
function renameLine(
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
