import type { DecimalSize } from "../../vocabulary/exact-numbers.ts";
import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { Json } from "../../vocabulary/json.ts";
import type { Preset } from "../../vocabulary/presets.ts";
import { weakMemo } from "../core/concurrency/index.ts";

/** One stored field, as `generated/models/<key>/model.ts` declares it. Runtime columns are not listed. */
export interface Field {
  readonly kind: FieldKind;
  readonly nullable?: true;
  /** Allowed values of a string or number field, of a list those of its elements. */
  readonly enum?: readonly (string | number)[];
  /** Digits of a decimal, or of each in a list. */
  readonly decimal?: DecimalSize;
  /** What a create without this field stores. */
  readonly default?: Json;
  /** What a create without this field stores: set by the server. A required one must come to something. */
  readonly preset?: Preset & { readonly required?: true };
  readonly searchable?: true;
}

/** A join to another model. Rows match where `this.field` equals `that.references`. */
export interface Relation {
  readonly kind: "belongs_to" | "has_one" | "has_many";
  readonly field: string;
  /** Key of the joined model. */
  readonly model: string;
  readonly references: string;
}

/** Fields that identify one row. On a soft-delete model they do so among live rows. */
export interface UniqueKey {
  /** Name of the database index, as it stands in error reports of PostgreSQL. */
  readonly name: string;
  readonly fields: readonly string[];
}

export interface ForeignKey {
  readonly name: string;
  readonly field: string;
}

/** A condition that the database holds rows to, as callers are told of it. */
export interface ModelCheck {
  /** Name of the constraint, as it stands in error reports of PostgreSQL. */
  readonly constraint: string;
  readonly name: string;
  /** The field that answers name. */
  readonly field: string;
  readonly message: string;
}

/** What the runtime knows of a model: names, kinds and keys, no code. */
export interface Model {
  readonly key: string;
  /** Name in GraphQL mutations and input types: `createOrderItems` where this is `OrderItems`. */
  readonly typeName: string;
  readonly table: string;
  /** First segment of the model's routes, after `service_prefix`. */
  readonly slug: string;
  readonly id: "bigint" | "uuid";
  readonly softDelete: boolean;
  /** Largest page a caller gets, in rows. */
  readonly maxLimit: number;
  readonly fields: Readonly<Record<string, Field>>;
  readonly relations: Readonly<Record<string, Relation>>;
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks?: readonly ModelCheck[];
}

/** Declares a model and keeps its literal types, from which `Where`, `OrderBy` and `Selection` are made. */
export function defineModel<const M extends Model>(model: M): M {
  return model;
}

/** A stored field or runtime column, as every layer above SQL sees it. */
export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly enum: readonly (string | number)[] | null;
  readonly decimal: DecimalSize | null;
  readonly searchable: boolean;
}

export type Columns = ReadonlyMap<string, Column>;

/** The columns of a model in the order of its answers: `id`, the declared fields, the time stamps. */
export const columnsOf = weakMemo(
  (model: Model): Columns => new Map(listColumns(model).map((column) => [column.name, column])),
);

function listColumns(model: Model): Column[] {
  return [
    runtimeColumn("id", model.id),
    ...Object.entries(model.fields).map(([name, field]) => ({
      name,
      kind: field.kind,
      nullable: field.nullable ?? false,
      enum: field.enum ?? null,
      decimal: field.decimal ?? null,
      searchable: field.searchable ?? false,
    })),
    runtimeColumn("created_at", "datetime"),
    runtimeColumn("updated_at", "datetime"),
    ...(model.softDelete ? [{ ...runtimeColumn("deleted_at", "datetime"), nullable: true }] : []),
  ];
}

function runtimeColumn(name: string, kind: FieldKind): Column {
  return { name, kind, nullable: false, enum: null, decimal: null, searchable: false };
}

/** A field that the server sets on create. */
export interface PresetField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly preset: Preset;
  /** A new row cannot do without it. */
  readonly required: boolean;
}

/** What a model has of presets. */
interface Presets {
  readonly fields: readonly PresetField[];
  /** Columns of `users` that they take from the caller's row, each once. */
  readonly callerColumns: readonly string[];
}

/** The fields of a model that the server sets on create. */
export const presetsOf = weakMemo((model: Model): Presets => {
  const fields = Object.entries(model.fields).flatMap(([name, { kind, preset }]): PresetField[] =>
    preset === undefined ? [] : [{ name, kind, preset, required: preset.required ?? false }],
  );
  const columns = fields.flatMap(({ preset }) => ("user" in preset ? [preset.user] : []));
  return { fields, callerColumns: [...new Set(columns)] };
});

/** Whether a create reads the caller's row in `users` before it writes. */
export function readsCallerRow(model: Model): boolean {
  return presetsOf(model).callerColumns.length > 0;
}

/** A JSON Schema of a record: which fields must be there and what each may hold. */
export interface RecordSchema {
  readonly required?: readonly string[];
  /** Those of them that a before-hook fills in, so that callers need not send them; without the list any may be missing until it has run. */
  readonly filled?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** The JSON Schemas of one model's request bodies. A record never has further properties. */
export interface Validators {
  readonly create: RecordSchema;
  readonly update: RecordSchema;
  readonly upsert: RecordSchema;
}

/** Declares the JSON Schemas of a model. */
export function defineValidators(validators: Validators): Validators {
  return validators;
}
