import { presetText } from "../../../vocabulary/fields/presets.ts";
import { fallbackPhrase, modelOperations, type Operation } from "../../../vocabulary/operations.ts";
import type { ModelDefinition, RuleDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { rolesOfOperation, routeTools } from "../../definition/exposed-tools.ts";
import { conditionText } from "./condition-view.ts";
import { fieldLines } from "./matrix-fields.ts";
import { allRows, matrixLine, none, roleText, rowsWithFields } from "./matrix-layout.ts";
import { hopsText } from "./path-hops.ts";
import { relationHops, rulePaths } from "./rule-paths.ts";

/** The view of `templates/access-matrix.hbs`: who can do what, on which rows and fields. */
export interface AccessMatrixView {
  readonly imports: null;
  /** Blocks with an empty line between them. */
  readonly lines: readonly string[];
}

/** The view of `access-matrix.txt`. `generator/review/access/parse-matrix.ts` reads it back. */
export function accessMatrixView(definition: ServiceDefinition): AccessMatrixView {
  const blocks = [
    conditionsBlock(definition),
    ...definition.models.map((model) => modelBlock(model, definition)),
    routesBlock(definition),
    jobsBlock(definition),
    toolsBlock(definition),
  ].filter((block) => block.length > 0);
  return { imports: null, lines: blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block])) };
}

function conditionsBlock({ conditions }: ServiceDefinition): string[] {
  const lines = conditions.map(({ name, on, written }) =>
    matrixLine(2, `${name}(${on})`, conditionText(written)),
  );
  return lines.length === 0 ? [] : ["conditions", ...lines];
}

/** The name of this block, and of the next one, is no key of a model. */
function routesBlock({ routes }: ServiceDefinition): string[] {
  const lines = routes.map(({ method, path, access, file }) =>
    matrixLine(2, `${method} ${path}`, `${access.map(roleText).join(", ")}: ${file}`),
  );
  return lines.length === 0 ? [] : ["custom routes", ...lines.sort()];
}

function jobsBlock({ jobs }: ServiceDefinition): string[] {
  const lines = jobs.flatMap(({ name, cron, file }) =>
    cron === null ? [] : [matrixLine(2, name, `${cron}: ${file}`)],
  );
  return lines.length === 0 ? [] : ["scheduled jobs", ...lines];
}

/** With the module on, no model has this key. */
export const toolsHeading = "mcp";

function toolsBlock(definition: ServiceDefinition): string[] {
  const ofModels = definition.models
    .filter(({ mcp }) => mcp.length > 0)
    .map((model) => matrixLine(2, model.key, toolsText(model)));
  const ofRoutes = routeTools(definition).map(({ route: { method, path }, name, roles }) =>
    matrixLine(2, `${method} ${path}`, `${name}: ${rolesText(roles)}`),
  );
  const lines = [...ofModels, ...ofRoutes];
  return lines.length === 0 ? [] : [toolsHeading, ...lines];
}

/** `fetch, count: *   create: staff`; operations with the same roles are together. */
function toolsText(model: ModelDefinition): string {
  const groups = new Map<
    string,
    { readonly roles: readonly string[]; readonly names: readonly Operation[] }
  >();
  for (const operation of model.mcp) {
    const roles = rolesOfOperation(model, operation);
    const key = JSON.stringify(roles.toSorted());
    const { names } = groups.get(key) ?? { names: [] };
    groups.set(key, { roles, names: [...names, operation] });
  }
  return [...groups.values()]
    .map(({ roles, names }) => `${names.join(", ")}: ${rolesText(roles)}`)
    .join("   ");
}

function rolesText(roles: readonly string[]): string {
  return roles.map(roleText).join(", ") || none;
}

function modelBlock(model: ModelDefinition, { models, conditions }: ServiceDefinition): string[] {
  const { key, fields, internal } = model;
  const presets = fields.flatMap(({ name, preset }) =>
    preset === undefined ? [] : [matrixLine(4, name, `${presetText(preset.value)} on ${preset.on}`)],
  );
  const { operations: open, upsert } = model.access;
  const rules = internal ? [] : [...Object.values(open), upsert.insert, upsert.update].flat();
  const named = conditions.filter(({ on }) => on === key);
  const byKey = new Map(models.map((each) => [each.key, each]));
  const paths = rulePaths([...rules, ...named].flatMap(({ condition }) => condition ?? []));
  return [
    key,
    ...(internal ? [joinLine(key, models)] : operationLines(model)),
    ...fieldLines(model),
    ...(presets.length === 0 ? [] : ["  presets", ...presets]),
    ...(paths.length === 0 ? [] : ["  paths"]),
    ...paths.map((path) => matrixLine(4, path, hopsText(path, relationHops(path, model, byKey)), true)),
  ];
}

/** The relations that lead to an internal model, such as `books.author_id`. */
function joinLine(to: string, models: readonly ModelDefinition[]): string {
  const joins = models.flatMap(({ key, relations }) =>
    relations
      .filter(({ model }) => model === to)
      .map(({ kind, name, field }) => `${key}.${kind === "belongs_to" ? field : name}`),
  );
  return matrixLine(2, "internal, joined by", joins.join(", ") || none);
}

/** One line for each text of rows, with its roles. */
type RowLines = ReadonlyMap<string, readonly string[]>;

/** An operation, and its rows or the operations that have the same rules. */
interface Entry {
  readonly label: string;
  readonly rows: RowLines | string;
}

/** The labels of an upsert with other rules than `create` and `update`. */
export const upsertHalves = { "upsert:insert": "upsert, new rows", "upsert:update": "upsert, existing rows" };

/** The first line of a model without writes. */
export const readOnlyLine = "  read only";

/** The operations in the order of the contract. Those with the same rules share their lines. */
function operationLines(model: ModelDefinition): string[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entriesOf(model)) {
    // The label of a half has a comma, so it shares no line.
    const key = Object.values(upsertHalves).includes(entry.label) ? entry.label : keyOf(entry.rows);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const denied = groups.get(noRows) ?? [];
  groups.delete(noRows);
  const lines = [...groups.values()].flatMap((entries) => {
    const label = entries.map((entry) => entry.label).join(", ");
    return entries.slice(0, 1).flatMap(({ rows }) => labelled(label, rows));
  });
  return [
    ...(model.readOnly ? [readOnlyLine] : []),
    ...lines,
    matrixLine(2, "denied to all", denied.map(({ label }) => label).join(", ") || none),
  ];
}

/** Equal for the same rules in any order. */
function keyOf(rows: Entry["rows"]): string {
  if (typeof rows === "string") return rows;
  return JSON.stringify([...rows].map(([text, roles]) => [text, ...[...roles].sort()]).sort());
}

const noRows = keyOf(new Map());

function entriesOf(model: ModelDefinition): Entry[] {
  const { access } = model;
  const rows = (operation: Exclude<Operation, "upsert">) => rowLines(access.operations[operation]);
  const isSame = (one: RowLines, other: RowLines) => keyOf(one) === keyOf(other);
  return modelOperations(model).flatMap((operation): Entry[] => {
    if (operation === "upsert") {
      const [added, changed] = [rowLines(access.upsert.insert), rowLines(access.upsert.update)];
      if (added.size + changed.size === 0) return [{ label: operation, rows: added }];
      if (isSame(added, rows("create")) && isSame(changed, rows("update")))
        return [{ label: operation, rows: fallbackPhrase(operation) }];
      return [
        { label: upsertHalves["upsert:insert"], rows: added },
        { label: upsertHalves["upsert:update"], rows: changed },
      ];
    }
    const found = rows(operation);
    const asFetch = operation === "search" && found.size > 0 && isSame(found, rows("fetch"));
    return [{ label: operation, rows: asFetch ? "as fetch" : found }];
  });
}

function labelled(label: string, rows: Entry["rows"]): string[] {
  if (typeof rows === "string") return [matrixLine(2, label, rows)];
  const lines = [...rows].map(([text, roles]) => [roles.join(", "), text] as const);
  const [only, ...more] = lines;
  if (only !== undefined && more.length === 0) return [matrixLine(2, label, only.join(": "))];
  return [`  ${label}`, ...lines.map(([roles, text]) => matrixLine(4, roles, text))];
}

function rowLines(rules: readonly RuleDefinition[]): RowLines {
  const lines = new Map<string, string[]>();
  for (const rule of rules) {
    const [text, role] = [rowsText(rule), roleText(rule.role)];
    const roles = lines.get(text) ?? [];
    if (!roles.includes(role)) lines.set(text, [...roles, role]);
  }
  return lines;
}

function rowsText({ written, fields }: RuleDefinition): string {
  return rowsWithFields(written === null ? allRows : conditionText(written), fields);
}
