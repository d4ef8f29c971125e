import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { FieldAccessDefinition, ModelDefinition } from "../../definition/definition.ts";
import { stringLiteral } from "../literal.ts";

/** The accounts show to joins what a rule opens, and nothing else; no route of models writes them. */
export function isClosed({ builtIn }: ModelDefinition): boolean {
  return builtIn;
}

/** Fields with gates of their own; of the accounts, those that someone reads. No one reads a password. */
export function gatesOf(model: ModelDefinition): FieldAccessDefinition[] {
  const { access, fields } = model;
  if (isClosed(model)) return access.fields.filter(isRead).sort((a, b) => (a.field < b.field ? -1 : 1));
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

function isRead({ read }: FieldAccessDefinition): boolean {
  return read === null || read.length > 0;
}

/** What was said of a model before: operations ask alike. */
const known = new WeakMap<ModelDefinition, Map<string, string>>();

/**
 * The fields that a role reads, and perhaps writes. Of a model with gates they are named, so that a new one shows in the diff under
 * each role that gets it.
 */
export function fieldsText(model: ModelDefinition, writes: boolean, role: string): string {
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
  // Anyone who reads a row reads its id and its times, but for those with a gate.
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

/** Names of fields, in quotes where they would read as a word of Kirak. */
function named(fields: readonly string[]): string {
  if (fields.length === 0) return "nothing";
  return [...fields]
    .sort()
    .map((name) => (name === "all" || name === "nothing" ? stringLiteral(name) : name))
    .join(", ");
}
