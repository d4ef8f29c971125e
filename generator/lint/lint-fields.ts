import { coversRole, everyRole, signedInRole } from "../../vocabulary/accounts/role-names.ts";
import { type Operation, readOperations } from "../../vocabulary/operations.ts";
import type { FieldDefinition } from "../definition/definition.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import { builtInFile } from "../load/built-in-users.ts";
import { admitsGuests, isAdminLike, isOpenToGuests } from "./lint-callers.ts";
import { type LintContext, modelsOfRules, type ReadModel } from "./lint-context.ts";
import { leadingFields } from "./missing-lookups.ts";
import { looksLikePassword, looksPersonal, looksSecret } from "./words.ts";

const reads: readonly Operation[] = readOperations;

/** Finds fields with names of passwords, secrets or personal data that are not protected enough. */
export function lintFields(context: LintContext): void {
  const { graph, definitions, report } = context;
  for (const { raw } of graph.values()) {
    for (const field of definitions.get(raw.key)?.fields ?? []) {
      const at = raw.fields.find(({ name }) => name === field.name)?.at;
      if (at !== undefined && isPlainPassword(field)) reportPassword(field, raw.key, at, report);
    }
  }
  for (const model of modelsOfRules(context)) {
    for (const field of model.definition.fields) {
      const at = placeOf(model, field);
      if (at === undefined || field.kind === "password" || isPlainPassword(field)) continue;
      if (isSecret(field)) lintSecret(model, field, at, report);
      else if (isPersonal(field)) lintPersonal(model, field, at, report);
    }
  }
}

/** The position of a field. For a built-in field, the position of its gate, without which no role can read it. */
function placeOf({ node: { raw, fields } }: ReadModel, { name }: FieldDefinition): SourceSpan | undefined {
  const at = fields.get(name)?.at;
  if (at?.file !== builtInFile) return at;
  return raw.access.fields.find(({ field }) => field.value === name)?.field.at;
}

function isPlainPassword({ kind, name, enum: allowed }: FieldDefinition): boolean {
  return (kind === "string" || kind === "text") && allowed === null && looksLikePassword(name);
}

function reportPassword(
  { name, kind }: FieldDefinition,
  model: string,
  at: SourceSpan,
  report: ReportDiagnostic,
): void {
  const message = `"${name}" of model "${model}" looks like a password, but is stored as plain text: anyone with the database or a backup can read it`;
  report(
    "plain-password",
    at,
    message,
    `write "type": "password" instead of "${kind}": values are then hashed and never returned`,
  );
}

/** Enums, references, times and booleans are not secrets, regardless of their names. */
function isSecret({ kind, name, enum: allowed, foreignKey }: FieldDefinition): boolean {
  const fits = ["string", "text", "uuid", "json", "integer"].includes(kind);
  return fits && allowed === null && foreignKey === null && looksSecret(name);
}

function lintSecret(
  model: ReadModel,
  field: FieldDefinition,
  at: SourceSpan,
  report: ReportDiagnostic,
): void {
  const readers = readersOf(model, field).filter((role) => !isAdminLike(role));
  if (readers.length === 0) return;
  const message = `"${field.name}" of model "${model.definition.key}" looks like a secret, and ${listed(readers)} can read it${throughJoins(model)}`;
  const closed = `"access": { "fields": { "${field.name}": { "read": ["admin"] } } }`;
  report("secret-readable", at, message, `restrict it: ${closed}; with [] only hooks can read it`);
}

function isPersonal({ kind, name, enum: allowed, foreignKey }: FieldDefinition): boolean {
  if (kind === "email") return true;
  const fits = ["string", "text", "json", "date", "datetime"].includes(kind);
  return fits && allowed === null && foreignKey === null && looksPersonal(name);
}

function lintPersonal(
  model: ReadModel,
  field: FieldDefinition,
  at: SourceSpan,
  report: ReportDiagnostic,
): void {
  const gate = gateOf(model, field);
  const open = model.rules.some((rule) => reads.includes(rule.operation) && isOpenToGuests(rule));
  if (!open || (gate !== null && !gate.some(admitsGuests))) return;
  const message = `"${field.name}" of model "${model.definition.key}" looks like personal data, and anyone can read it without signing in${throughJoins(model)}`;
  const closed = `"access": { "fields": { "${field.name}": { "read": [ … ] } } }`;
  report("personal-data-public", at, message, `name the roles that need it: ${closed}`);
}

/** The roles that can read the field, without duplicates. A gate is intentional, unless it names guests. */
function readersOf(model: ReadModel, field: FieldDefinition): string[] {
  const rules = model.rules.filter(({ operation }) => reads.includes(operation));
  const roles = [...new Set(rules.map(({ role }) => role.value))];
  const gate = gateOf(model, field);
  if (gate === null || gate.includes("*")) return roles;
  return gate.includes("guest") && roles.some(admitsGuests) ? ["guest"] : [];
}

function gateOf({ definition }: ReadModel, { name }: FieldDefinition): readonly string[] | null {
  return definition.access.fields.find((entry) => entry.field === name)?.read ?? null;
}

/** The joins that lead to an internal model. */
function throughJoins({ from }: ReadModel): string {
  return from.length === 0
    ? ""
    : `, through joins of ${from.map((key) => JSON.stringify(key)).join(" and ")}`;
}

function listed(roles: readonly string[]): string {
  const widest = roles.filter((role) => !roles.some((other) => other !== role && coversRole(other, role)));
  return widest.map(called).join(" and ");
}

function called(role: string): string {
  if (role === everyRole) return "everyone";
  return role === signedInRole ? "everyone who is signed in" : JSON.stringify(role);
}

/** Finds searchable fields without an index, on models that are open to search. */
export function lintSearch({ models, report }: LintContext): void {
  for (const { node, definition } of models) {
    if (definition.access.operations.search.length === 0) continue;
    const leading = leadingFields(definition);
    for (const { name, searchable } of definition.fields) {
      const field = node.fields.get(name);
      if (!searchable || field === undefined || leading.has(name)) continue;
      const message = `each search of "${definition.key}" reads every row, because "${name}" has no index`;
      const hint =
        '"index": true only helps with order and filters on the whole value; for substrings in a large table, create a trigram index (docs/lint.md)';
      report("unindexed-search", field.keys.get("searchable") ?? field.at, message, hint);
    }
  }
}
