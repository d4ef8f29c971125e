import { userFields } from "../../vocabulary/accounts/user-fields.ts";
import type { ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import { GeneratorBug } from "../diagnostics/stop.ts";
import { parseJsonTree } from "./json-tree.ts";
import type { RawModel } from "./raw.ts";
import { readRawModels } from "./read-models.ts";

/** The file in spans of built-in fields. It is part of Kirak, not of the app. */
export const builtInFile = "vocabulary/accounts/user-fields.ts";

/** The built-in model. Apps can extend it and refer to it. The other internal tables are not models. */
export const usersKey = "users";

let users: RawModel | null = null;

/** The built-in `users`, parsed like a model of an app. */
export function rawBuiltInUsers(): RawModel {
  users ??= readBuiltIn();
  return users;
}

function readBuiltIn(): RawModel {
  const fields = Object.entries(userFields).map(([name, { kind, ...field }]) => {
    const { nullable = false, ...rest } = { nullable: undefined, ...field };
    return [name, { type: kind, required: !nullable, ...rest }];
  });
  const users = { description: "Who has an account.", internal: true, fields: Object.fromEntries(fields) };
  const tree = parseJsonTree(builtInFile, JSON.stringify({ [usersKey]: users }), (_, at, message) => {
    throw new GeneratorBug(`${at.file} at ${at.offset}: ${message}`);
  });
  const [model] = tree === null ? [] : readRawModels(tree);
  if (model === undefined) throw new GeneratorBug(`${builtInFile} holds no fields`);
  return { ...model, builtIn: true };
}

/**
 * Merges an entry `users` of the app into the built-in model: fields, relations, keys, indexes and read rules. Reports other keys
 * and leaves them out.
 */
export function mergeUsers(builtIn: RawModel, entry: RawModel, report: ReportDiagnostic): RawModel {
  reportFixedKeys(builtIn, entry, report);
  const fixed = new Set(builtIn.fields.map(({ name }) => name));
  for (const { name, at } of entry.fields.filter((field) => fixed.has(field.name))) {
    const hint = 'remove the field; its read rules go to "access": { "fields": … }';
    report(
      "built-in-field",
      at,
      `"${name}" of model "users" is a built-in column and cannot be changed`,
      hint,
    );
  }
  return {
    ...builtIn,
    at: entry.at,
    description: entry.description ?? builtIn.description,
    fields: [...builtIn.fields, ...entry.fields.filter(({ name }) => !fixed.has(name))],
    unique: [...builtIn.unique, ...entry.unique],
    indexes: [...builtIn.indexes, ...entry.indexes],
    access: { ...entry.access, operations: new Map() },
    lintIgnore: entry.lintIgnore,
    keys: entry.keys,
  };
}

function reportFixedKeys(builtIn: RawModel, entry: RawModel, report: ReportDiagnostic): void {
  for (const [key, at] of fixedKeys(builtIn, entry)) {
    const message = `"${key}" of model "users" cannot be set: the accounts are built in`;
    report(
      "built-in-key",
      at,
      message,
      "remove it; an entry adds fields, relations, keys, indexes and read rules",
    );
  }
  for (const [operation, { at }] of entry.access.operations) {
    const message = `rules for "${operation}" of model "users" have no effect: the accounts have no model routes`;
    report("built-in-key", at, message, 'remove them; "fields" sets which roles can read a field in joins');
  }
}

/** Keys of the entry with other values than the built-in model has. */
function fixedKeys(builtIn: RawModel, entry: RawModel): [key: string, at: SourceSpan][] {
  const { keys, table, slug } = entry;
  const changed = {
    table: table !== null && table.value !== builtIn.key,
    table_name: table !== null && table.value !== builtIn.key,
    slug: slug !== null && slug.value !== builtIn.key,
    renamed_from: true,
    id_type: entry.idType !== builtIn.idType,
    soft_delete: entry.softDelete !== builtIn.softDelete,
    internal: entry.internal !== builtIn.internal,
    max_limit: true,
    rate_limit: true,
    checks: true,
    schema_name: true,
    columns: true,
    key: true,
    read_only: true,
    view: true,
    trigger_messages: true,
    mcp: true,
  };
  return Object.entries(changed).flatMap(([key, isChanged]) => {
    const at = keys.get(key);
    return at === undefined || !isChanged ? [] : [[key, at] as [string, SourceSpan]];
  });
}
