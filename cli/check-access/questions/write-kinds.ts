import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { keyField } from "#generator/definition/stored";
import { keysWithId } from "#generator/emit/views/stored-view";
import type { Json } from "#vocabulary/json";
import { operationMethods } from "#vocabulary/operations";
import type { AccessCheck } from "../access-check.ts";
import type { Front } from "../access-report.ts";
import type { SentValues } from "../expectations.ts";
import { operationOf, type RuledOperation, rulesOf, writesField } from "../model-access.ts";
import { type StoredRow, sentId } from "../table-rows.ts";
import { type Question, queryOf } from "./ask.ts";
import { idList } from "./ask-reads.ts";
import { toolQuestion } from "./ask-tool.ts";

/** A write of one row, before it is a request of a public API. */
export interface Write {
  readonly ruled: RuledOperation;
  readonly id: string;
  /** The values in `data`. */
  readonly sent: SentValues;
}

/** Whether the request makes a row, in place of the row with the id. */
export function makesRow(ruled: RuledOperation): boolean {
  return ruled === "create" || ruled === "upsert of a new row";
}

/** The request over REST. */
function restWrite(model: ModelDefinition, { ruled, id, sent }: Write): Question {
  const operation = operationOf(ruled);
  const at = { method: operationMethods[operation], path: `${model.slug}/${operation}` };
  const where = { id: sentId(model, id) };
  if (operation === "create" || operation === "upsert") return { ...at, body: { data: sent } };
  if (operation === "update") return { ...at, body: { where, data: sent } };
  if (operation === "restore") return { ...at, body: { where, data: { ...sent, deleted_at: null } } };
  return { ...at, body: { ids: [where.id] } };
}

/** The name of the mutation of GraphQL. */
export function mutationName({ typeName }: ModelDefinition, ruled: RuledOperation): string {
  return `${operationOf(ruled)}${typeName}`;
}

/** The request over GraphQL. */
function graphqlWrite(
  model: ModelDefinition,
  selected: readonly string[],
  { ruled, id, sent }: Write,
): Question {
  const operation = operationOf(ruled);
  const { typeName } = model;
  const where = { id: sentId(model, id) };
  const mutation = (head: string, sentArguments: string, variables: Json) =>
    queryOf(
      `mutation (${head}) { ${mutationName(model, ruled)}(${sentArguments}) { ${selected.join(" ") || "id"} } }`,
      variables,
    );
  if (operation === "create" || operation === "upsert")
    return mutation(`$input: ${typeName}Create!`, "input: $input", { input: sent });
  if (operation === "update" || operation === "restore") {
    const input = operation === "restore" ? { ...sent, deleted_at: null } : sent;
    const head = `$input: ${typeName}Update!, $where: ${typeName}Where!`;
    return mutation(head, "input: $input, where: $where", { input, where });
  }
  return mutation(`$ids: ${idList(model)}`, "ids: $ids", { ids: [where.id] });
}

/** The call of the tool. A person has agreed. */
function toolWrite(model: ModelDefinition, { ruled, id, sent }: Write): Question {
  const operation = operationOf(ruled);
  const own = sentId(model, id);
  const rows: Readonly<Partial<Record<typeof operation, { readonly [name: string]: Json }>>> = {
    create: { data: sent },
    upsert: { data: sent },
    update: { id: own, data: sent },
    restore: { where: { id: own } },
  };
  return toolQuestion(model, operation, rows[operation] ?? { ids: [own], confirm: true });
}

/** The request over a public API. */
export function requestOf(
  model: ModelDefinition,
  front: Front,
  write: Write,
  selected: readonly string[],
): Question {
  if (front === "rest") return restWrite(model, write);
  return front === "mcp" ? toolWrite(model, write) : graphqlWrite(model, selected, write);
}

/** The values of a whole record that the caller can send, with the id if callers make it. */
export function recordOf(
  { sample }: Pick<AccessCheck, "sample">,
  model: ModelDefinition,
  role: string,
  { values }: StoredRow,
): SentValues {
  const sent = model.fields.filter(({ name }) => writesField(model, name, role) && values[name] != null);
  // The database has a hash of a password, so a new one is sent.
  const sentValue = (field: FieldDefinition) =>
    field.kind === "password" ? sample(field) : (values[field.name] ?? null);
  const record = Object.fromEntries(sent.map((field) => [field.name, sentValue(field)]));
  return model.idSent && values["id"] != null ? { id: values["id"], ...record } : record;
}

/** The values of required fields that the caller cannot send, as if the server's code filled them in. */
export function filledIn(
  { sample, stored }: AccessCheck,
  model: ModelDefinition,
  role: string,
  { values }: StoredRow,
): SentValues {
  const fillerOf = (field: FieldDefinition): Json => {
    if (field.foreignKey === null) return sample(field);
    const [parent] = stored.get(field.foreignKey.model)?.values() ?? [];
    return parent?.values[field.foreignKey.column] ?? null;
  };
  const filled = model.fields.filter(
    ({ name, required, preset }) => required && preset === undefined && !writesField(model, name, role),
  );
  return Object.fromEntries(filled.map((field) => [field.name, values[field.name] ?? fillerOf(field)]));
}

/** The record with a whole key, by which an upsert looks for a row; null if no key is possible. */
export function withUpsertKey(
  { sample, newUuid }: AccessCheck,
  model: ModelDefinition,
  role: string,
  sent: SentValues,
): SentValues | null {
  if (upsertKey(model, sent).length > 0) return sent;
  if (model.idType === "uuid") return { ...sent, id: newUuid() };
  for (const { fields } of keysWithId(model)) {
    const missing = model.fields.filter(({ name }) => fields.includes(name) && sent[name] == null);
    const isFillable = ({ name, foreignKey }: FieldDefinition) =>
      writesField(model, name, role) && foreignKey === null;
    if (missing.every(isFillable))
      return { ...sent, ...Object.fromEntries(missing.map((field) => [field.name, sample(field)])) };
  }
  return null;
}

/**
 * Fields that updates send with the value that the row has: one that no rule names, and one of each list of
 * fields. Plain ones first, because hooks react to others.
 */
export function updatedFields(model: ModelDefinition, role: string): string[] {
  const keys = new Set(model.uniqueKeys.flatMap(({ fields }) => fields));
  const weight = ({ name, kind, foreignKey, enum: values }: FieldDefinition) =>
    (foreignKey === null ? 0 : 4) +
    (keys.has(name) ? 2 : 0) +
    (values === null ? 0 : 2) +
    (plain.has(kind) ? 0 : 1);
  const fields = model.fields
    .filter((field) => field.kind !== "password" && field.kind !== "json" && field !== keyField(model))
    .filter(({ name }) => writesField(model, name, role))
    .sort((one, other) => weight(one) - weight(other))
    .map(({ name }) => name);
  const lists = rulesOf(model, "update").flatMap((rule) => (rule.fields === null ? [] : [rule.fields]));
  const named = lists.map((list) => fields.find((name) => list.includes(name)));
  const found = [fields.find((name) => !lists.flat().includes(name)), ...named];
  return [...new Set(found.flatMap((name) => name ?? []))];
}

const plain: ReadonlySet<string> = new Set(["string", "text", "integer", "boolean", "date"]);

/** The fields of the key by which an upsert finds a row; empty if the record has no whole key. */
export function upsertKey(model: ModelDefinition, sent: SentValues): readonly string[] {
  const presets = new Set(model.fields.filter(({ preset }) => preset !== undefined).map(({ name }) => name));
  const keys = [["id"], ...keysWithId(model).map(({ fields }) => fields)].sort((a, b) => a.length - b.length);
  return keys.find((fields) => fields.every((name) => sent[name] != null || presets.has(name))) ?? [];
}
