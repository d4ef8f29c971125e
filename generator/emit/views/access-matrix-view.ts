import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import { presetText } from "../../../vocabulary/fields/presets.ts";
import { readOperations } from "../../../vocabulary/operations.ts";
import type {
  FieldAccessDefinition,
  ModelDefinition,
  RouteDefinition,
  RuleDefinition,
  ServiceDefinition,
} from "../../definition/definition.ts";
import { stringLiteral } from "../literal.ts";
import { fieldsText, gatesOf, isClosed } from "./access-fields.ts";
import { anyOf, conditionText } from "./condition-view.ts";
import { pathLines } from "./rule-paths.ts";

/** What `templates/access-matrix.hbs` prints: who reaches which rows and fields, a line each. */
export interface AccessMatrixView {
  readonly imports: null;
  readonly lines: readonly string[];
  /** Who may call the app's own routes, a line each; null where it has none. */
  readonly routes: readonly string[] | null;
}

/** Columns have fixed widths, and a longer text moves only its own line, so that one change is one line of a diff. */
const operationWidth = 32;
const roleWidth = 12;
const rowsWidth = 40;

/** The view of `access-matrix.txt`. */
export function accessMatrixView(definition: ServiceDefinition): AccessMatrixView {
  const models = [...definition.models].sort((a, b) => (a.key < b.key ? -1 : 1));
  const joins = joinsOf(models);
  const byKey = new Map(models.map((model) => [model.key, model]));
  const lines = models.flatMap((model) => linesOf(model, joins.get(model.key) ?? [], byKey));
  return { imports: null, lines, routes: routeLines(definition) };
}

function routeLines({ routes }: ServiceDefinition): string[] | null {
  if (routes.length === 0) return null;
  const sorted = [...routes].sort((a, b) => (routeName(a) < routeName(b) ? -1 : 1));
  return sorted.flatMap((route) =>
    [...route.access]
      .sort()
      .map((role) =>
        [
          routeName(route).padEnd(operationWidth),
          roleText(role).padEnd(roleWidth),
          `route in ${route.file}`,
        ].join("  "),
      ),
  );
}

function routeName({ method, path }: RouteDefinition): string {
  return `${method} ${path}`;
}

/** The relations that lead to each model, such as `books.author_id`, sorted. */
function joinsOf(models: readonly ModelDefinition[]): Map<string, string[]> {
  const joins = new Map<string, string[]>();
  for (const { key, relations } of models)
    for (const { kind, name, field, model } of relations) {
      const known = joins.get(model) ?? [];
      joins.set(model, [...known, `${key}.${kind === "belongs_to" ? field : name}`].sort());
    }
  return joins;
}

function gateText(model: ModelDefinition, { field, read, write }: FieldAccessDefinition): string {
  const who = (roles: readonly string[] | null) => {
    if (roles === null || roles.includes("*")) return "everybody";
    return roles.length === 0 ? "nobody" : [...roles].sort().map(roleText).join(", ");
  };
  // The others are set by the server.
  const written =
    !isClosed(model) && model.fields.some(({ name }) => name === field) ? `, written by ${who(write)}` : "";
  const preset = model.fields.find(({ name }) => name === field)?.preset;
  const set = preset === undefined ? "" : `, preset ${presetText(preset.value)}`;
  return `field ${field}: read by ${who(read)}${written}${set}`;
}

interface Entry {
  readonly operation: string;
  readonly rules: readonly RuleDefinition[];
  readonly writes: boolean;
}

function linesOf(
  model: ModelDefinition,
  joins: readonly string[],
  models: ReadonlyMap<string, ModelDefinition>,
): string[] {
  const key = model.key.padEnd(operationWidth);
  const gates = gatesOf(model).map((gate) => `${key}  ${gateText(model, gate)}`);
  if (!model.internal) {
    const paths = pathLines(model, models).map((path) => `${key}  ${path}`);
    return [...gates, ...paths, ...entriesOf(model).flatMap((entry) => entryLines(model, entry))];
  }
  const join = { operation: "join", rules: [{ role: "*", condition: null, text: null }], writes: false };
  return [
    `${key}  internal, reached by joins alone${isClosed(model) ? "; nobody reads a field without a line" : ""}`,
    ...gates,
    // Who joins is not known here: these are the fields that everyone reads.
    ...joins.map((relation) => entryLine(model, join, relation, everyRole)),
  ];
}

function entryLines(model: ModelDefinition, entry: Entry): string[] {
  const roles = rolesOf(model, entry);
  if (roles.length > 0) return roles.map((role) => entryLine(model, entry, role));
  return [`${`${model.key}.${entry.operation}`.padEnd(operationWidth)}  nobody`];
}

function entryLine(model: ModelDefinition, entry: Entry, who: string, role = who): string {
  const operation = `${model.key}.${entry.operation}`.padEnd(operationWidth);
  const rows = rowsOf(entry.rules, role).padEnd(rowsWidth);
  return [operation, roleText(who).padEnd(roleWidth), rows, fieldsText(model, entry.writes, role)].join("  ");
}

function entriesOf({ access, softDelete }: ModelDefinition): Entry[] {
  const { operations, upsert } = access;
  const reading = readOperations.map((operation) => {
    return { operation, rules: operations[operation], writes: false };
  });
  return [
    ...reading,
    { operation: "create", rules: operations.create, writes: true },
    { operation: "update", rules: operations.update, writes: true },
    { operation: "upsert:insert", rules: upsert.insert, writes: true },
    { operation: "upsert:update", rules: upsert.update, writes: true },
    { operation: "delete", rules: operations.delete, writes: false },
    { operation: "destroy", rules: operations.destroy, writes: false },
    ...(softDelete ? [{ operation: "restore", rules: operations.restore, writes: true }] : []),
  ];
}

/** Roles of the rules; where everyone may come, or anyone who signed in, also the roles that see or write other fields than these. */
function rolesOf(model: ModelDefinition, { rules, writes }: Entry): string[] {
  const roles = new Set(rules.map((rule) => rule.role));
  const declared = new Set(roles);
  const fieldsOf = (role: string) => fieldsText(model, writes, role);
  const gates = model.access.fields.flatMap(({ read, write }) => [...(read ?? []), ...(write ?? [])]);
  for (const role of gates) {
    const many = rolesOfMany(role).find((each) => declared.has(each));
    if (many !== undefined && fieldsOf(role) !== fieldsOf(many)) roles.add(role);
  }
  return [...roles].sort();
}

/** What represents a role and others, the fewest first. */
function rolesOfMany(role: string): string[] {
  if (role === everyRole) return [];
  return role === signedInRole || role === guestRole ? [everyRole] : [signedInRole, everyRole];
}

/** The rows that all rules of a role open together. */
function rowsOf(rules: readonly RuleDefinition[], role: string): string {
  const names = [role, ...rolesOfMany(role)];
  const matching = rules.filter((rule) => names.includes(rule.role));
  if (matching.some((rule) => rule.condition === null)) return "all rows";
  const rows = anyOf(matching.flatMap(({ condition }) => (condition === null ? [] : [condition])));
  return rows === null ? "" : conditionText(rows);
}

/** A role as one word: in quotes if it is not one, and where it would read as `no one` or `everyone`. */
function roleText(role: string): string {
  return /^(?!(no|every)body$)[A-Za-z0-9_*.@:-]+$/.test(role) ? role : stringLiteral(role);
}
