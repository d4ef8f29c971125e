import { numberText } from "../../vocabulary/fields/exact-numbers.ts";
import { type FieldKind, typeOfKind } from "../../vocabulary/fields/field-kinds.ts";
import type { Json } from "../../vocabulary/json.ts";
import type { AdoptedKey, Keys } from "./adopted-keys.ts";
import type { Draft, DraftColumn } from "./draft.ts";
import type { AdoptedRules } from "./field-rules.ts";
import type { AdoptedRelation } from "./foreign-keys.ts";

/** A table that becomes a model, with its rules, keys and relations. */
export interface Adopted extends Omit<Keys, "remarks"> {
  readonly draft: Draft;
  readonly rules: AdoptedRules;
  readonly defaults: ReadonlyMap<DraftColumn, Json>;
  /** The relations of all models, by foreign key. */
  readonly relations: ReadonlyMap<DraftColumn, AdoptedRelation>;
  /** Relations of other models to this one that get a field here, by its name. */
  readonly collections: ReadonlyMap<string, AdoptedRelation>;
}

type JsonObject = { readonly [key: string]: Json };

const admin = [{ role: "admin" }] as const;

/** A model as the models file has it. Only `admin` has access, so nothing is open by accident. */
export function modelJson(adopted: Adopted): JsonObject {
  const { draft, keys, collections } = adopted;
  const { key, table, idType, softDelete, source } = draft;
  const fields = draft.columns
    .filter(({ place }) => place === "field")
    .map((column) => [column.name, fieldJson(adopted, column)] as const);
  const several = (unique: boolean): Json => keys.filter((one) => isList(one, unique)).map(namesOf);
  return withoutEmpty({
    table: table === key ? null : table,
    description: source.comment,
    id_type: idType === "uuid" ? idType : null,
    soft_delete: softDelete,
    fields: Object.fromEntries([...fields, ...[...collections].map(collectionJson)]),
    unique: several(true),
    indexes: several(false),
    access: {
      ...{ fetch: admin, search: admin, create: admin, update: admin, delete: admin, destroy: admin },
      ...(softDelete ? { restore: admin } : {}),
    },
  });
}

function fieldJson(adopted: Adopted, column: DraftColumn): JsonObject {
  const { source, name } = column;
  const relation = adopted.relations.get(column);
  const single = (unique: boolean) => adopted.keys.some((key) => isSingle(key, column, unique));
  return withoutEmpty({
    description: source.comment,
    ...(relation === undefined ? columnJson(adopted, column) : relationJson(relation)),
    required: !source.nullable,
    default: adopted.defaults.get(column) ?? null,
    unique: single(true),
    index: single(false) && !isImplied(adopted, column),
    renamed_from: name === source.name ? null : source.name,
  });
}

function columnJson({ rules, textLengths }: Adopted, column: DraftColumn): JsonObject {
  const { type } = column;
  return {
    type: typeOfKind(type.kind),
    max_length: textLengths.get(column) ?? type.maxLength,
    precision: type.decimal?.precision ?? null,
    scale: type.decimal?.scale || null,
    enum: rules.enums.get(column)?.oneOf ?? null,
    minimum: shortNumber(rules.minimum.get(column) ?? null),
    maximum: shortNumber(rules.maximum.get(column) ?? null),
  };
}

/** The number `0.01` for `"0.01"`, if a JSON number is exact. */
function shortNumber(bound: number | string | null): number | string | null {
  if (typeof bound !== "string") return bound;
  const text = bound.includes(".") ? bound.replace(/\.?0+$/, "") : bound;
  return numberText(Number(text)) === text ? Number(text) : text;
}

function relationJson({ to, target, onDelete }: AdoptedRelation): JsonObject {
  const relationship = withoutEmpty({
    model: to.key,
    foreign_key: target.place === "id" ? null : target.name,
    on_delete: onDelete === "restrict" ? null : onDelete,
  });
  return { type: "belongs_to", relationship };
}

function collectionJson([name, relation]: [string, AdoptedRelation]): readonly [string, JsonObject] {
  const relationship = { model: relation.from.key, foreign_key: relation.field.name };
  return [name, { type: "has_many", relationship }];
}

/** The kind of a field. A foreign key has the kind of its target. */
export function jsonKindOf(relations: Adopted["relations"], column: DraftColumn): FieldKind {
  const target = relations.get(column)?.target;
  if (target === undefined) return column.type.kind;
  if (target.place === "id") return target.type.kind === "uuid" ? "uuid" : "bigint";
  return jsonKindOf(relations, target);
}

/** Whether a foreign key gets this index without a declaration, because no other key begins with it. */
function isImplied({ draft, keys, relations }: Adopted, column: DraftColumn): boolean {
  if (!relations.has(column)) return false;
  return !keys.some(
    (key) => key.columns[0] === column && !isSingle(key, column, false) && !(key.unique && draft.softDelete),
  );
}

function isSingle({ unique, columns }: AdoptedKey, column: DraftColumn, wanted: boolean): boolean {
  return unique === wanted && columns.length === 1 && columns[0] === column;
}

/** The entries of `unique` or `indexes` of the model: several columns, or one that is not a field. */
function isList({ unique, columns }: AdoptedKey, wanted: boolean): boolean {
  return unique === wanted && (columns.length > 1 || columns.some(({ place }) => place !== "field"));
}

function namesOf({ columns }: AdoptedKey): string[] {
  return columns.map(({ name }) => name);
}

/** Removes entries without effect: null, false, empty lists and texts. */
function withoutEmpty(entries: JsonObject): JsonObject {
  const silent = (value: Json) =>
    value === false ||
    (typeof value === "string" && value.trim() === "") ||
    (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(entries).filter(([key, value]) => value !== null && (key === "default" || !silent(value))),
  );
}
