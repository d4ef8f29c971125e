import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import type { Json } from "#vocabulary/json";
import { operationMethods } from "#vocabulary/operations";
import type { CheckCaller } from "../check-callers.ts";
import type { SentValues } from "../expectations.ts";
import { operationOf, type RuledOperation, readableFields, writesField } from "../model-access.ts";
import { type Stored, type StoredRow, sentId } from "../table-rows.ts";
import { type Question, queryOf } from "./ask.ts";
import { idList } from "./ask-reads.ts";

/** A write of one row, before it is a request of a public API. */
export interface Write {
  readonly ruled: RuledOperation;
  readonly id: string;
  /** The values in `data`. */
  readonly sent: SentValues;
}

export const ruledWrites: readonly RuledOperation[] = [
  ...([
    "create",
    "update",
    "upsert of a new row",
    "upsert of a row",
    "delete",
    "destroy",
    "restore",
  ] as const),
];

/** Whether the request makes a row, in place of the row with the id. */
export function makesRow(ruled: RuledOperation): boolean {
  return ruled === "create" || ruled === "upsert of a new row";
}

/** The request over REST. */
export function restWrite(model: ModelDefinition, { ruled, id, sent }: Write): Question {
  const operation = operationOf(ruled);
  const path = `${model.slug}/${operation}`;
  const at = { method: operationMethods[operation], path };
  if (makesRow(ruled) || ruled === "upsert of a row") return { ...at, body: { data: sent } };
  if (ruled === "update") return { ...at, body: { where: { id: sentId(model, id) }, data: sent } };
  if (ruled === "restore")
    return { ...at, body: { where: { id: sentId(model, id) }, data: { ...sent, deleted_at: null } } };
  return { ...at, body: { ids: [sentId(model, id)] } };
}

/** The request over GraphQL. It selects a field that the caller can read. */
export function graphqlWrite(
  model: ModelDefinition,
  { role }: Pick<CheckCaller, "role">,
  { ruled, id, sent }: Write,
): Question {
  const operation = operationOf(ruled);
  const [selected = "id"] = readableFields(model, role);
  const name = `${operation}${model.typeName}`;
  const { typeName } = model;
  const where = { id: sentId(model, id) };
  if (makesRow(ruled) || ruled === "upsert of a row")
    return queryOf(`mutation ($input: ${typeName}Create!) { ${name}(input: $input) { ${selected} } }`, {
      input: sent,
    });
  if (ruled === "update" || ruled === "restore") {
    const input = ruled === "restore" ? { ...sent, deleted_at: null } : sent;
    const head = `mutation ($input: ${typeName}Update!, $where: ${typeName}Where!)`;
    return queryOf(`${head} { ${name}(input: $input, where: $where) { ${selected} } }`, { input, where });
  }
  return queryOf(`mutation ($ids: ${idList(model)}) { ${name}(ids: $ids) { ${selected} } }`, {
    ids: [sentId(model, id)],
  });
}

/** The values of a whole record that the caller can send. The id is not one of them. */
export function recordOf(model: ModelDefinition, role: string, row: StoredRow): SentValues {
  const sent = model.fields.filter(
    (field) => writesField(model, field.name, role) && row.values[field.name] != null,
  );
  return Object.fromEntries(sent.map((field) => [field.name, sentValue(field, row)]));
}

/** The values of required fields that the caller cannot send, as if the server's code filled them in. */
export function filledIn(model: ModelDefinition, role: string, row: StoredRow, stored: Stored): SentValues {
  const filled = model.fields.filter(
    (field) => field.required && field.preset === undefined && !writesField(model, field.name, role),
  );
  return Object.fromEntries(
    filled.map((field) => [field.name, row.values[field.name] ?? fillerOf(field, stored)]),
  );
}

let lastFiller = 0;

/** A value that the database takes. */
function fillerOf(
  { name, kind, enum: values, foreignKey, maxLength }: FieldDefinition,
  stored: Stored,
): Json {
  if (foreignKey !== null) {
    const [parent] = stored.get(foreignKey.model)?.values() ?? [];
    return parent?.values[foreignKey.column] ?? null;
  }
  const text = `${++lastFiller}`;
  const fillers: Partial<Record<FieldDefinition["kind"], Json>> = {
    ...{ integer: 1, bigint: 1, int64: "1", float: 1, decimal: "1", boolean: false, json: {} },
    ...{
      datetime: "2020-01-01T00:00:00Z",
      date: "2020-01-01",
      time: "00:00:00",
      email: `${text}@example.com`,
    },
    uuid: `00000000-0000-4000-8000-${text.padStart(12, "0")}`,
  };
  return values?.[0] ?? fillers[kind] ?? `${name}-${text}`.slice(-(maxLength ?? 255));
}

/** The record with a whole key, by which an upsert looks for a row; null if no key is possible. */
export function withUpsertKey(model: ModelDefinition, role: string, sent: SentValues): SentValues | null {
  if (upsertKey(model, sent).length > 0) return sent;
  if (model.idType === "uuid")
    return { ...sent, id: `00000000-0000-4000-9000-${`${++lastFiller}`.padStart(12, "0")}` };
  for (const { fields } of model.uniqueKeys) {
    const missing = model.fields.filter(({ name }) => fields.includes(name) && sent[name] == null);
    const isFillable = ({ name, kind, pattern, foreignKey }: FieldDefinition) =>
      writesField(model, name, role) && pattern === null && foreignKey === null && kind === "string";
    if (missing.every(isFillable))
      return {
        ...sent,
        ...Object.fromEntries(missing.map((field) => [field.name, fillerOf(field, new Map())])),
      };
  }
  return null;
}

/** The database has a hash of a password, so a new one is sent. */
function sentValue({ name, kind, maxLength, minLength }: FieldDefinition, { values }: StoredRow): Json {
  if (kind !== "password") return values[name] ?? null;
  return "Correct-Horse-1!".padEnd(minLength ?? 0, "x").slice(0, maxLength ?? 64);
}

/** Fields that an update sends with the value that the row has: innocent ones first, because hooks react to others. */
export function changeableFields(model: ModelDefinition, role: string): string[] {
  const keys = new Set(model.uniqueKeys.flatMap(({ fields }) => fields));
  const weight = ({ name, kind, foreignKey, enum: values }: FieldDefinition) =>
    (foreignKey === null ? 0 : 4) +
    (keys.has(name) ? 2 : 0) +
    (values === null ? 0 : 2) +
    (plain.has(kind) ? 0 : 1);
  return model.fields
    .filter(
      (field) => field.kind !== "password" && field.kind !== "json" && writesField(model, field.name, role),
    )
    .sort((one, other) => weight(one) - weight(other))
    .map(({ name }) => name);
}

const plain: ReadonlySet<string> = new Set(["string", "text", "integer", "boolean", "date"]);

/** The fields of the key by which an upsert finds a row; empty if the record has no whole key. */
export function upsertKey(model: ModelDefinition, sent: SentValues): readonly string[] {
  const presets = new Set(model.fields.filter(({ preset }) => preset !== undefined).map(({ name }) => name));
  const keys = [["id"], ...model.uniqueKeys.map(({ fields }) => fields)].sort((a, b) => a.length - b.length);
  return keys.find((fields) => fields.every((name) => sent[name] != null || presets.has(name))) ?? [];
}
