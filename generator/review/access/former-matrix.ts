import { everyRole } from "../../../vocabulary/accounts/role-names.ts";
import { routeMethods } from "../../../vocabulary/custom-routes.ts";
import { hopsIn, hopsPattern, type PathHop } from "../../emit/views/path-hops.ts";
import { type Access, closedFields, type MatrixModel, openFields } from "./access-matrix.ts";

/** The first line of the form that has a line for each operation and role. A run compares with it once, and replaces it. */
const firstLine = "# Who may do what, on which rows and fields.";

export function isFormerMatrix(text: string): boolean {
  return text.startsWith(firstLine);
}

const role = String.raw`"(?:[^"\\]|\\.)*"|[A-Za-z0-9_*.@:-]+`;
const roles = `(?:${role})(?:, (?:${role}))*`;
const fields = String.raw`(?:\w+|"\w+")(?:, (?:\w+|"\w+"))*`;
const gateLine = new RegExp(
  `^(\\w+) +field (\\w+): read by (${roles})(?:, written by (${roles}))?(?:, preset (\\S+))?$`,
);
const internalLine = /^(\w+) +internal, reached by joins alone(; nobody reads a field without a line)?$/;
const pathLine = new RegExp(String.raw`^(\w+) +path ([\w.]+): (${hopsPattern})$`);
const deniedLine = /^(\w+)\.([a-z:]+) +nobody$/;
/** Names of fields have no spaces, so a condition cannot contain text that looks like the end of a line. */
const roleLine = new RegExp(
  String.raw`^(\w+)\.([a-z:]+) +(${role}) +(.+?) {2,}reads (?:fields with a line|${fields})(?:, writes (?:${fields}))?$`,
);
const routeLine = new RegExp(String.raw`^((?:${routeMethods.join("|")}) /\S+) +(${role}) +route in `);

interface OpenModel extends MatrixModel {
  internal: boolean;
  closed: boolean;
  readonly operations: Map<string, Map<string, string[]>>;
  readonly gates: Map<string, { readonly read: string; readonly write: string }>;
  readonly presets: Map<string, string>;
  readonly paths: Map<string, readonly PathHop[]>;
}

/** Parses the former form of `access-matrix.txt`. Skips unknown lines. */
export function parseFormerMatrix(text: string): Access {
  const models = new Map<string, OpenModel>();
  const routes = new Map<string, Set<string>>();
  const modelOf = (key: string) => {
    const known = models.get(key) ?? newModel();
    models.set(key, known);
    return known;
  };
  const rowsOf = (key: string, operation: string) => {
    const { operations } = modelOf(key);
    const known = operations.get(operation) ?? new Map<string, string[]>();
    operations.set(operation, known);
    return known;
  };
  for (const line of text.split("\n")) {
    const [, key = "", operation = "", who = "", rows = ""] = roleLine.exec(line) ?? [];
    const [, denied = "", deniedOperation = ""] = deniedLine.exec(line) ?? [];
    const [, internal = "", closed] = internalLine.exec(line) ?? [];
    const [, from = "", path = "", hops = ""] = pathLine.exec(line) ?? [];
    const [, gated = "", field = "", read = "", write, preset] = gateLine.exec(line) ?? [];
    const [, route = "", caller = ""] = routeLine.exec(line) ?? [];
    if (key !== "") rowsOf(key, operation).set(who, [rows]);
    else if (denied !== "") rowsOf(denied, deniedOperation);
    else if (internal !== "")
      Object.assign(modelOf(internal), { internal: true, closed: closed !== undefined });
    else if (from !== "") modelOf(from).paths.set(path, hopsIn(path, hops));
    else if (route !== "") routes.set(route, (routes.get(route) ?? new Set()).add(caller));
    else if (gated !== "") {
      const model = modelOf(gated);
      // Without this part, the server sets the field, or in a closed model no one does.
      model.gates.set(field, { read, write: write ?? (model.closed ? "nobody" : "everybody") });
      if (preset !== undefined) model.presets.set(field, preset);
    }
  }
  const found = [...models].map(([key, model]) => [key, withFields(model)] as const);
  return { models: new Map(found), conditions: new Map(), routes, tools: new Set() };
}

function newModel(): OpenModel {
  return {
    internal: false,
    closed: false,
    operations: new Map(),
    gates: new Map(),
    reads: openFields,
    writes: openFields,
    presets: new Map(),
    paths: new Map(),
  };
}

function withFields({ closed, gates, ...model }: OpenModel): MatrixModel {
  const table = (gate: "read" | "write") => {
    const further = [...gates].map(([field, named]) => [field, roleSet(named[gate])] as const);
    const names = closed ? new Set<string>() : new Set(further.map(([field]) => field));
    return { ...(closed ? closedFields : openFields), names, further: new Map(further) };
  };
  return { ...model, reads: table("read"), writes: table("write") };
}

function roleSet(list: string): ReadonlySet<string> {
  if (list === "everybody") return new Set([everyRole]);
  return new Set(list === "nobody" ? [] : list.match(new RegExp(role, "g")));
}
