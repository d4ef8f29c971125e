import type { DecimalSize } from "../../vocabulary/fields/exact-numbers.ts";
import type { FieldKind } from "../../vocabulary/fields/field-kinds.ts";
import type { Preset } from "../../vocabulary/fields/presets.ts";
import type { Json } from "../../vocabulary/json.ts";
import { weakMemo } from "../core/concurrency/index.ts";

/** One stored field, as `generated/models/<key>/model.ts` declares it, without runtime columns. */
export interface Field {
  readonly kind: FieldKind;
  readonly nullable?: true;
  /** Allowed values of a string or number field; for a list, of its elements. */
  readonly enum?: readonly (string | number)[];
  /** Digits of a decimal, or of each in a list. */
  readonly decimal?: DecimalSize;
  /** The value if a create does not have this field. */
  readonly default?: Json;
  /**
   * The value that the server sets if a create does not have this field. A required preset must have a value.
   */
  readonly preset?: Preset & { readonly required?: true };
  readonly searchable?: true;
}

/** A join to another model. Rows match if `this.field` equals `that.references`. */
export interface Relation {
  readonly kind: "belongs_to" | "has_one" | "has_many";
  readonly field: string;
  /** Key of the joined model. */
  readonly model: string;
  readonly references: string;
}

/** Fields that identify one row; in a soft-delete model, one live row. */
export interface UniqueKey {
  /** Name of the database index in error reports of PostgreSQL. */
  readonly name: string;
  readonly fields: readonly string[];
}

export interface ForeignKey {
  readonly name: string;
  readonly field: string;
}

/** A condition that the database checks, and how callers see it. */
export interface ModelCheck {
  /** Name of the constraint in error reports of PostgreSQL. */
  readonly constraint: string;
  readonly name: string;
  /** The field that responses name. */
  readonly field: string;
  readonly message: string;
}

/** A model at run time: names, kinds and keys, no code. */
export interface Model {
  readonly key: string;
  /** Name in GraphQL mutations and input types: `createOrderItems` if this is `OrderItems`. */
  readonly typeName: string;
  readonly table: string;
  /** First segment of the model's routes, after `service_prefix`. */
  readonly slug: string;
  readonly id: "bigint" | "uuid";
  readonly softDelete: boolean;
  /** Largest page in rows. */
  readonly maxLimit: number;
  readonly fields: Readonly<Record<string, Field>>;
  readonly relations: Readonly<Record<string, Relation>>;
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks?: readonly ModelCheck[];
}

/** Declares a model and keeps its literal types, which `Where`, `OrderBy` and `Selection` are derived from. */
export function defineModel<const M extends Model>(model: M): M {
  return model;
}

/** A stored field or runtime column, as the layers above SQL see it. */
export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly enum: readonly (string | number)[] | null;
  readonly decimal: DecimalSize | null;
  readonly searchable: boolean;
}

export type Columns = ReadonlyMap<string, Column>;

/** The columns of a model in the order of responses: `id`, the declared fields, the time stamps. */
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
  /** A new row must have a value. */
  readonly required: boolean;
}

/** The presets of a model. */
interface Presets {
  readonly fields: readonly PresetField[];
  /** Distinct columns of the caller's row in `users` that they use. */
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

/** A JSON Schema of a record: its required fields, and the values of each field. */
export interface RecordSchema {
  readonly required?: readonly string[];
  /**
   * Required fields that a before-hook fills in, so that callers need not send them. Without the list, any
   * field can be missing before the hook.
   */
  readonly filled?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** The JSON Schemas for request bodies of one model. Records never have other properties. */
export interface Validators {
  readonly create: RecordSchema;
  readonly update: RecordSchema;
  readonly upsert: RecordSchema;
}

/** Declares the JSON Schemas of a model. */
export function defineValidators(validators: Validators): Validators {
  return validators;
}
