import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import { type Condition, isOtherField, startsAtRuleRow } from "../../../vocabulary/conditions/conditions.ts";
import { presetPhrase } from "../../../vocabulary/fields/presets.ts";
import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import { readOperations } from "../../../vocabulary/operations.ts";
import type {
  FieldAccessDefinition,
  ModelDefinition,
  RelationDefinition,
  RouteDefinition,
  RuleDefinition,
  ServiceDefinition,
} from "../../definition/definition.ts";
import { stringLiteral } from "../literal.ts";
import { anyOf, conditionText } from "./condition-view.ts";
import { openedColumns } from "./users-extension.ts";

/** The view of `templates/access-matrix.hbs`: one line for the rows and fields of each operation and role. */
export interface AccessMatrixView {
  readonly imports: null;
  readonly lines: readonly string[];
  /** One line for each custom route and role; null if there are no custom routes. */
  readonly routes: readonly string[] | null;
}

/** Columns have fixed widths. A longer text shifts only its own line, so that the diff stays small. */
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
  // The server sets the other fields.
  const isSet = isClosed(model) ? write === null : model.fields.every(({ name }) => name !== field);
  const written = isSet ? "" : `, written by ${who(write)}`;
  const preset = model.fields.find(({ name }) => name === field)?.preset;
  const set = preset === undefined ? "" : `, preset ${presetPhrase(preset)}`;
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
  const join = {
    operation: "join",
    rules: [{ role: "*", condition: null, written: null, text: null, fields: null }],
    writes: false,
  };
  return [
    `${key}  internal, reached by joins alone${isClosed(model) ? "; nobody reads a field without a line" : ""}`,
    ...gates,
    // The role of the caller is unknown here, so these are the fields that everyone can read.
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
  const rows = (openedRows(entry.rules, role) ?? "all rows").padEnd(rowsWidth);
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

/** The roles of the rules. If a rule admits everyone or all signed-in users, also the roles with other fields than these. */
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

/** The group roles that include a role, narrowest first. */
function rolesOfMany(role: string): string[] {
  if (role === everyRole) return [];
  return role === signedInRole || role === guestRole ? [everyRole] : [signedInRole, everyRole];
}

/** The condition of the rows that all rules of a role open together; null for all rows. */
export function openedRows(rules: readonly RuleDefinition[], role: string): string | null {
  const names = [role, ...rolesOfMany(role)];
  const matching = rules.filter((rule) => names.includes(rule.role));
  if (matching.some((rule) => rule.condition === null)) return null;
  const rows = anyOf(matching.flatMap(({ condition }) => (condition === null ? [] : [condition])));
  return rows === null ? "" : conditionText(rows);
}

/** A role as one word. In quotes if it is not a plain word, or could be confused with a word of the matrix. */
function roleText(role: string): string {
  return /^(?!(no|every)body$)[A-Za-z0-9_*.@:-]+$/.test(role) ? role : stringLiteral(role);
}

type Models = ReadonlyMap<string, ModelDefinition>;

/**
 * The relation paths in the rules of a model, sorted, each with its target: `path author: books.author_id > authors.id (live)`. A path
 * within EXISTS starts at the end of the path of that EXISTS. The lines record the meaning of conditions, so later runs notice changed
 * relations. `>` is a `belongs_to`, `<` a `has_many` or, with `first`, a `has_one`; `live` leaves out soft-deleted rows.
 */
function pathLines(model: ModelDefinition, models: Models): string[] {
  const paths = new Set<string>();
  for (const { condition } of rulesOf(model)) if (condition !== null) collect(condition, [], 0, paths);
  return [...paths].sort().map((path) => `path ${path}: ${hopsOf(path, model, models).join(", ")}`);
}

function rulesOf({ access: { operations, upsert } }: ModelDefinition): RuleDefinition[] {
  return [...Object.values(operations), upsert.insert, upsert.update].flat();
}

/** `outer` is the path from the row with the rule to the current row. */
function collect(condition: Condition, outer: readonly string[], depth: number, paths: Set<string>): void {
  const follow = (names: readonly string[]) => {
    const fromItself = startsAtRuleRow(names, depth);
    const way = fromItself ? names.slice(1) : [...outer, ...names];
    if (names.length > (fromItself ? 1 : 0)) paths.add(way.join("."));
    return way;
  };
  const field = (name: string) => follow(name.split(".").slice(0, -1));
  switch (condition.op) {
    case "and":
    case "or":
      for (const part of condition.conditions) collect(part, outer, depth, paths);
      return;
    case "not":
      collect(condition.condition, outer, depth, paths);
      return;
    case "exists": {
      const way = follow(condition.path.split("."));
      if (condition.where !== null) collect(condition.where, way, depth + 1, paths);
      return;
    }
    default: {
      if (typeof condition.field === "string") field(condition.field);
      const other = "value" in condition && isOtherField(condition.value) ? condition.value.field : null;
      if (other !== null) field(other);
    }
  }
}

function hopsOf(path: string, from: ModelDefinition, models: Models): string[] {
  let model = from;
  return path.split(".").map((name) => {
    const relation = model.relations.find((each) => each.name === name);
    const target = models.get(relation?.model ?? "");
    if (relation === undefined || target === undefined)
      throw new Error(`${model.key} has no relation ${name}`);
    const text = hopText(model, relation, target);
    model = target;
    return text;
  });
}

function hopText(
  { key }: ModelDefinition,
  { kind, field, references }: RelationDefinition,
  target: ModelDefinition,
): string {
  const flags = [...(kind === "has_one" ? ["first"] : []), ...(target.softDelete ? ["live"] : [])];
  const sign = kind === "belongs_to" ? ">" : "<";
  const hop = `${key}.${field} ${sign} ${target.key}.${references}`;
  return flags.length === 0 ? hop : `${hop} (${flags.join(", ")})`;
}

/** Only those fields of `users` are read and written that a rule opens. No model route writes them. */
function isClosed({ builtIn }: ModelDefinition): boolean {
  return builtIn;
}

/** Fields with a gate. For `users`, the fields that a role can read or write. No role can read a password. */
function gatesOf(model: ModelDefinition): FieldAccessDefinition[] {
  const { access, fields } = model;
  if (isClosed(model)) return openedColumns(model).sort((a, b) => (a.field < b.field ? -1 : 1));
  const passwords = passwordsOf(model);
  const declared = access.fields.filter(({ field }) => !passwords.includes(field));
  const writers = new Map(access.fields.map(({ field, write }) => [field, write]));
  const secret = fields
    .filter(({ name }) => passwords.includes(name))
    .map(({ name: field }) => ({ field, read: [], write: writers.get(field) ?? null }));
  return [...declared, ...secret].sort((a, b) => (a.field < b.field ? -1 : 1));
}

function passwordsOf({ fields }: ModelDefinition): string[] {
  return fields.filter(({ kind }) => kind === "password").map(({ name }) => name);
}

/** Cached texts by model: several operations need the same text. */
const known = new WeakMap<ModelDefinition, Map<string, string>>();

/**
 * The fields that a role can read and, for some operations, write. If the model has gates, each field is named, so that the diff
 * shows a new field under each of its roles.
 */
function fieldsText(model: ModelDefinition, writes: boolean, role: string): string {
  const texts = known.get(model) ?? new Map<string, string>();
  known.set(model, texts);
  const key = `${writes} ${role}`;
  const text = texts.get(key) ?? newFieldsText(model, writes, role);
  texts.set(key, text);
  return text;
}

function newFieldsText(model: ModelDefinition, writes: boolean, role: string): string {
  if (isClosed(model)) return "reads fields with a line";
  if (gatesOf(model).length === 0) return writes ? "reads all, writes all" : "reads all";
  const passwords = passwordsOf(model);
  const own = model.fields.map(({ name }) => name);
  // Everyone who can read a row can read its runtime columns, except those with a gate.
  const runtime = model.access.fields.map(({ field }) => field).filter(isRuntimeColumn);
  const read = [...own, ...runtime].filter(
    (name) => !passwords.includes(name) && opens(model, name, "read", role),
  );
  const reads = `reads ${named(read)}`;
  return writes
    ? `${reads}, writes ${named(own.filter((name) => opens(model, name, "write", role)))}`
    : reads;
}

function opens(model: ModelDefinition, name: string, gate: "read" | "write", role: string): boolean {
  const roles = model.access.fields.find(({ field }) => field === name)?.[gate] ?? null;
  if (roles === null || roles.includes(role) || roles.includes(everyRole)) return true;
  return roles.includes(signedInRole) && role !== everyRole && role !== guestRole;
}

/** Names of fields, in quotes if they could be confused with a word of the matrix. */
function named(fields: readonly string[]): string {
  if (fields.length === 0) return "nothing";
  return [...fields]
    .sort()
    .map((name) => (name === "all" || name === "nothing" ? stringLiteral(name) : name))
    .join(", ");
}
