import { readOperations } from "../../../vocabulary/operations.ts";
import type {
  FieldAccessDefinition,
  ModelDefinition,
  RuleDefinition,
  ServiceDefinition,
} from "../../definition/definition.ts";
import { stringLiteral } from "../literal.ts";
import { anyOf, conditionText } from "./condition-view.ts";

/** What `templates/access-matrix.hbs` prints: who reaches which rows and fields, a line each. */
export interface AccessMatrixView {
  readonly imports: null;
  readonly lines: readonly string[];
}

/** Columns have fixed widths, and a longer text moves only its own line, so that one change is one line of a diff. */
const operationWidth = 32;
const roleWidth = 12;
const rowsWidth = 40;

/** The view of `access-matrix.txt`. */
export function accessMatrixView(definition: ServiceDefinition): AccessMatrixView {
  const models = [...definition.models].sort((a, b) => (a.key < b.key ? -1 : 1));
  const joins = joinsOf(models);
  return { imports: null, lines: models.flatMap((model) => linesOf(model, joins.get(model.key) ?? [])) };
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

/** Fields with gates of their own; of the accounts, those that somebody reads. Nobody reads a password. */
function gatesOf(model: ModelDefinition): FieldAccessDefinition[] {
  const { access, fields } = model;
  if (isClosed(model)) return access.fields.filter(isRead).sort((a, b) => (a.field < b.field ? -1 : 1));
  const passwords = fields.filter(({ kind }) => kind === "password").map(({ name }) => name);
  const declared = access.fields.filter(({ field }) => !passwords.includes(field));
  const writers = new Map(access.fields.map(({ field, write }) => [field, write]));
  const secret = passwords.map((field) => ({ field, read: [], write: writers.get(field) ?? null }));
  return [...declared, ...secret].sort((a, b) => (a.field < b.field ? -1 : 1));
}

/** The accounts show to joins what a rule opens, and nothing else; no route of models writes them. */
function isClosed({ builtIn }: ModelDefinition): boolean {
  return builtIn;
}

function isRead({ read }: FieldAccessDefinition): boolean {
  return read === null || read.length > 0;
}

function gateText(model: ModelDefinition, { field, read, write }: FieldAccessDefinition): string {
  const who = (roles: readonly string[] | null) => {
    if (roles === null || roles.includes("*")) return "everybody";
    return roles.length === 0 ? "nobody" : [...roles].sort().map(roleText).join(", ");
  };
  // The others are set by the server.
  const written =
    !isClosed(model) && model.fields.some(({ name }) => name === field) ? `, written by ${who(write)}` : "";
  return `field ${field}: read by ${who(read)}${written}`;
}

interface Entry {
  readonly operation: string;
  readonly rules: readonly RuleDefinition[];
  readonly writes: boolean;
}

function linesOf(model: ModelDefinition, joins: readonly string[]): string[] {
  const key = model.key.padEnd(operationWidth);
  const gates = gatesOf(model).map((gate) => `${key}  ${gateText(model, gate)}`);
  if (!model.internal) return [...gates, ...entriesOf(model).flatMap((entry) => entryLines(model, entry))];
  const join = { operation: "join", rules: [{ role: "*", condition: null, text: null }], writes: false };
  return [
    `${key}  internal, reached by joins alone${isClosed(model) ? "; nobody reads a field without a line" : ""}`,
    ...gates,
    ...joins.map((relation) => entryLine(model, join, relation)),
  ];
}

function entryLines(model: ModelDefinition, entry: Entry): string[] {
  const roles = rolesOf(model, entry);
  if (roles.length > 0) return roles.map((role) => entryLine(model, entry, role));
  return [`${`${model.key}.${entry.operation}`.padEnd(operationWidth)}  nobody`];
}

function entryLine(model: ModelDefinition, entry: Entry, role: string): string {
  const operation = `${model.key}.${entry.operation}`.padEnd(operationWidth);
  const rows = rowsOf(entry.rules, role).padEnd(rowsWidth);
  return [operation, roleText(role).padEnd(roleWidth), rows, fieldsOf(model, entry, role)].join("  ");
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

/** Roles of the rules; where everybody may come, also the roles that see or write other fields than everybody. */
function rolesOf(model: ModelDefinition, entry: Entry): string[] {
  const roles = new Set(entry.rules.map((rule) => rule.role));
  if (roles.has("*")) {
    const everybody = fieldsOf(model, entry, "*");
    const gates = model.access.fields.flatMap(({ read, write }) => [...(read ?? []), ...(write ?? [])]);
    for (const role of gates) if (fieldsOf(model, entry, role) !== everybody) roles.add(role);
  }
  return [...roles].sort();
}

/** The rows that all rules of a role open together. */
function rowsOf(rules: readonly RuleDefinition[], role: string): string {
  const matching = rules.filter((rule) => rule.role === role || rule.role === "*");
  if (matching.some((rule) => rule.condition === null)) return "all rows";
  const rows = anyOf(matching.flatMap(({ condition }) => (condition === null ? [] : [condition])));
  return rows === null ? "" : conditionText(rows);
}

/** What was said of a model before: operations ask alike. */
const known = new WeakMap<ModelDefinition, Map<string, string>>();

function fieldsOf(model: ModelDefinition, { writes }: Entry, role: string): string {
  const texts = known.get(model) ?? new Map<string, string>();
  known.set(model, texts);
  const key = `${writes} ${role}`;
  const text = texts.get(key) ?? fieldsText(model, writes, role);
  texts.set(key, text);
  return text;
}

function fieldsText(model: ModelDefinition, writes: boolean, role: string): string {
  if (isClosed(model)) return "reads fields with a line";
  const fields = model.fields.map((field) => field.name);
  const runtime = model.access.fields.map(({ field }) => field).filter((field) => !fields.includes(field));
  const passwords = model.fields.filter((field) => field.kind === "password").map((field) => field.name);
  const unread = [...fields, ...runtime].filter(
    (field) => passwords.includes(field) || !opens(model, field, "read", role),
  );
  const unwritten = fields.filter((field) => !opens(model, field, "write", role));
  const reads = `reads ${except(unread)}`;
  return writes ? `${reads}, writes ${except(unwritten)}` : reads;
}

function opens(model: ModelDefinition, name: string, gate: "read" | "write", role: string): boolean {
  const roles = model.access.fields.find(({ field }) => field === name)?.[gate] ?? null;
  return roles === null || roles.includes(role) || roles.includes("*");
}

function except(fields: readonly string[]): string {
  return fields.length === 0 ? "all" : `all but ${[...fields].sort().join(", ")}`;
}

/** A role as one word: in quotes where it is none, and where it would read as `nobody` or `everybody`. */
function roleText(role: string): string {
  return /^(?!(no|every)body$)[A-Za-z0-9_*.@:-]+$/.test(role) ? role : stringLiteral(role);
}
