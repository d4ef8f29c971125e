import { routeMethods } from "../../../vocabulary/custom-routes.ts";
import { toolName } from "../../../vocabulary/mcp/tools.ts";
import { fallbacks, operations } from "../../../vocabulary/operations.ts";
import { toolsHeading, upsertHalves } from "../../emit/views/access-matrix-view.ts";
import { noFurtherRoles, noRoles } from "../../emit/views/matrix-fields.ts";
import { allRows, matrixLines, none } from "../../emit/views/matrix-layout.ts";
import { hopsIn, type PathHop } from "../../emit/views/path-hops.ts";
import { usersKey } from "../../load/built-in-users.ts";
import {
  type Access,
  closedFields,
  type FieldTable,
  type MatrixCondition,
  type MatrixModel,
  openFields,
} from "./access-matrix.ts";
import { isFormerMatrix, parseFormerMatrix } from "./former-matrix.ts";

/** A role: one word, or a string in quotes. */
export const rolePattern = String.raw`"(?:[^"\\]|\\.)*"|[A-Za-z0-9_*.@:-]+`;

const roles = `((?:${rolePattern})(?:, (?:${rolePattern}))*)`;
const label = "([a-z]+(?:, [a-z]+)*|upsert, (?:new|existing) rows)";
const valueLine = (pattern: string, value = "(.+)") => new RegExp(`^${pattern} {2,}${value}$`);

const conditionLine = valueLine(String.raw` {2}(\w+)\((\w+)\)`);
const routeLine = valueLine(String.raw` {2}((?:${routeMethods.join("|")}) \/\S+)`, `${roles}: .+`);
const deniedLine = valueLine(" {2}denied to all");
const joinLine = valueLine(" {2}internal, joined by");
const sameLine = valueLine(" {2}(search|upsert)", "as .+");
const onlyLine = valueLine(` {2}${label}`, `${roles}: (.+)`);
const rowsLine = valueLine(` {4}${roles}`);
const fieldsLine = valueLine(
  ` {4}(?:(${none}|${noFurtherRoles}|${noRoles})|${roles})`,
  "(and |all but |)(.+)",
);
const presetLine = valueLine(String.raw` {4}(\w+)`, String.raw`(\S+(?: on write)?)(?: on create)?`);
const pathLine = valueLine(String.raw` {4}([\w.]+)`);

const operation = `(?:${operations.join("|")})`;
const callers = `(?:${none}|${roles})`;
const group = `(${operation}(?:, ${operation})*): ${callers}`;
const toolsLine = valueLine(String.raw` {2}(\w+)`, `(${group}(?: {3}${group})*)`);
const routeToolLine = valueLine(String.raw` {2}(?:${routeMethods.join("|")}) \/\S+`, `(\\w+): ${callers}`);
/** Each block of a model has one of these lines. */
const modelOfThisName = new RegExp(
  `^${toolsHeading}\n(?:.+\n)*? {2}(?:denied to all|internal, joined by) `,
  "m",
);

/** A model while its block is read. */
interface OpenModel extends MatrixModel {
  internal: boolean;
  readonly operations: Map<string, Map<string, string[]>>;
  reads: FieldTable;
  writes: FieldTable;
  readonly presets: Map<string, string>;
  readonly paths: Map<string, readonly PathHop[]>;
}

/** Parses the text of `access-matrix.txt`, the reverse of `accessMatrixView`. Skips unknown lines. */
export function parseMatrix(text: string): Access {
  if (isFormerMatrix(text)) return parseFormerMatrix(text);
  const models = new Map<string, OpenModel>();
  const conditions = new Map<string, MatrixCondition>();
  const routes = new Map<string, ReadonlySet<string>>();
  const tools = new Set<string>();
  const tooled = modelOfThisName.test(text) ? null : toolsHeading;
  let block = "";
  let section = "";
  for (const line of matrixLines(text)) {
    const [, name, on = "", condition = ""] = conditionLine.exec(line) ?? [];
    const [, route, callers = ""] = routeLine.exec(line) ?? [];
    if (/^\S/.test(line)) block = line;
    else if (block === tooled) for (const tool of toolsIn(line)) tools.add(tool);
    else if (name !== undefined) conditions.set(name, { on, text: condition });
    else if (route !== undefined) routes.set(route, new Set(rolesIn(callers)));
    else if (/^\w+$/.test(block) && line !== "") {
      const model = models.get(block) ?? newModel(block);
      models.set(block, model);
      if (/^ {2}\S/.test(line)) section = line.trim();
      if (line.startsWith("    ")) readEntry(line, section, model);
      else readOperation(line, model);
    }
  }
  return { models, conditions, routes, tools };
}

/** The names of the tools of a line. */
function toolsIn(line: string): string[] {
  const [, name] = routeToolLine.exec(line) ?? [];
  if (name !== undefined) return [name];
  const [, key = "", text = ""] = toolsLine.exec(line) ?? [];
  const groups = text.matchAll(new RegExp(group, "g"));
  return [...groups].flatMap(([, names = ""]) =>
    names
      .split(", ")
      .flatMap((each) => operations.filter((operation) => operation === each))
      .map((operation) => toolName(key, operation)),
  );
}

/** Without a section, no caller uses a field of the accounts, and no field of another model has a gate. */
function newModel(key: string): OpenModel {
  const fields = key === usersKey ? closedFields : openFields;
  return {
    internal: false,
    operations: new Map(),
    reads: fields,
    writes: fields,
    presets: new Map(),
    paths: new Map(),
  };
}

/** The roles in a list of roles. */
export function rolesIn(list: string): string[] {
  return list.match(new RegExp(rolePattern, "g")) ?? [];
}

/** A line of an operation. The heading of a section is skipped. */
function readOperation(line: string, model: OpenModel): void {
  const [, denied] = deniedLine.exec(line) ?? [];
  const [, joins] = joinLine.exec(line) ?? [];
  const [, same] = sameLine.exec(line) ?? [];
  const [, names = "", who = "", rows = ""] = onlyLine.exec(line) ?? [];
  if (denied !== undefined) openRows(denied, [], "", model);
  else if (same === "search") copyRows(model, "search", "fetch");
  else if (same !== undefined) {
    const [insert, update] = fallbacks.upsert;
    copyRows(model, "upsert:insert", insert);
    copyRows(model, "upsert:update", update);
  } else if (joins !== undefined) {
    model.internal = true;
    const relations = joins === none ? [] : joins.split(", ");
    model.operations.set("join", new Map(relations.map((relation) => [relation, [allRows]])));
  } else if (names !== "") openRows(names, rolesIn(who), rows, model);
}

function copyRows({ operations }: OpenModel, operation: string, from: string): void {
  operations.set(operation, operations.get(from) ?? new Map());
}

/** Adds rows to operations with the same rules. */
function openRows(names: string, who: readonly string[], rows: string, { operations }: OpenModel): void {
  for (const operation of operationsIn(names)) {
    const known = operations.get(operation) ?? new Map<string, string[]>();
    operations.set(operation, known);
    for (const role of who) known.set(role, [...(known.get(role) ?? []), rows]);
  }
}

function operationsIn(names: string): string[] {
  const half = Object.entries(upsertHalves).find(([, text]) => text === names);
  if (half !== undefined) return [half[0]];
  return names
    .split(", ")
    .flatMap((name) => (name === "upsert" ? Object.keys(upsertHalves) : name === none ? [] : [name]));
}

/** A line below an operation or a heading. */
function readEntry(line: string, section: string, model: OpenModel): void {
  if (section === "reads" || section === "writes") {
    model[section] = withFields(line, model[section] === openFields ? closedFields : model[section]);
  } else if (section === "presets") {
    const [, field = "", preset = ""] = presetLine.exec(line) ?? [];
    model.presets.set(field, preset);
  } else if (section === "paths") {
    const [, path = "", hops = ""] = pathLine.exec(line) ?? [];
    model.paths.set(path, hopsIn(path, hops));
  } else {
    const [, who = "", rows = ""] = rowsLine.exec(line) ?? [];
    openRows(section, rolesIn(who), rows, model);
  }
}

function withFields(line: string, table: FieldTable): FieldTable {
  const [, mark, who = "", form, list = ""] = fieldsLine.exec(line) ?? [];
  const names = list === none ? [] : list.split(", ").map((name) => name.replaceAll('"', ""));
  const found = new Set(rolesIn(who));
  if (form === "and " || (mark !== undefined && mark !== none))
    return { ...table, further: new Map([...table.further, ...names.map((name) => [name, found] as const)]) };
  const isAll = list === "all" || form === "all but ";
  return { ...table, roles: found, all: isAll, names: new Set(list === "all" ? [] : names) };
}
