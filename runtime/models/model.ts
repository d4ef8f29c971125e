import type { DecimalSize } from "../../vocabulary/fields/exact-numbers.ts";
import type { FieldKind } from "../../vocabulary/fields/field-kinds.ts";
import type { Preset } from "../../vocabulary/fields/presets.ts";
import type { RuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import type { Json } from "../../vocabulary/json.ts";
import { BoundedCache, weakMemo } from "../core/concurrency/index.ts";

/** How PostgreSQL stores a field or runtime column, if this is not what its name and kind say. */
export interface StoredAs {
  /** The name of the column. */
  readonly column?: string;
  /** The type of the column, as `db_type` of a models file. */
  readonly dbType?: string;
  /** The database sets the value, and no caller can. */
  readonly generated?: true;
  /** Values that the API does not support are NULL. */
  readonly outOfRange?: "null";
}

/** A stored field, as `generated/models/<key>/model.ts` declares it. */
export interface Field extends StoredAs {
  readonly kind: FieldKind;
  readonly nullable?: true;
  /** Allowed values of a string or number field; for a list, of its elements. */
  readonly enum?: readonly (string | number)[];
  /** The digits of a decimal, or of each element. */
  readonly decimal?: DecimalSize;
  /** If a create does not send the field. */
  readonly default?: Json;
  /** The database has a default of its own for rows that do not send the field. */
  readonly sqlDefault?: true;
  /**
   * The server sets it if a create, or with `on` any write, does not send the field. A required preset must
   * have a value.
   */
  readonly preset?: Preset & { readonly on?: "write"; readonly required?: true };
  readonly searchable?: true;
}

/** A relation. Rows match if `this.field` equals `that.references`. */
export interface Relation {
  readonly kind: "belongs_to" | "has_one" | "has_many";
  readonly field: string;
  readonly model: string;
  readonly references: string;
}

/** Fields that identify one row. In a soft-delete model, they identify one live row. */
export interface UniqueKey {
  /** The name of the index in PostgreSQL's errors. */
  readonly name: string;
  readonly fields: readonly string[];
}

export interface ForeignKey {
  readonly name: string;
  readonly field: string;
}

/** A check constraint, and its error for callers. */
export interface ModelCheck {
  /** The name of the constraint in PostgreSQL's errors. */
  readonly constraint: string;
  readonly name: string;
  /** The field in error responses. */
  readonly field: string;
  readonly message: string;
}

/** A runtime column that is stored differently. */
export interface StoredTime extends StoredAs {
  readonly nullable?: true;
}

/** A model at run time. */
export interface Model {
  readonly key: string;
  /** For GraphQL mutations and input types: `createOrderItems` for `OrderItems`. */
  readonly typeName: string;
  readonly table: string;
  /** The schema of the table, if it is not the first one of the search path. */
  readonly schema?: string;
  /** Runtime columns that are stored differently; null for a column that the table does not have. */
  readonly columns?: Readonly<Partial<Record<RuntimeColumn, StoredTime | null>>>;
  /** The first segment of its routes, after `service_prefix`. */
  readonly slug: string;
  /** `int64`: an exact number, text in JSON. */
  readonly id: "bigint" | "uuid" | "int64" | "string";
  /** The caller sends the id of a new row. Default: the server or the database makes it. */
  readonly idSent?: true;
  /** The model has only the operations that read. */
  readonly readOnly?: true;
  /** The table is a view, whose rows cannot be locked. */
  readonly view?: true;
  /** The fields that order rows without an id; they can be none. */
  readonly orderKey?: readonly string[];
  /** Answers contain the messages that triggers raise. */
  readonly triggerMessages?: true;
  readonly softDelete: boolean;
  /** Largest page in rows. */
  readonly maxLimit: number;
  readonly fields: Readonly<Record<string, Field>>;
  readonly relations: Readonly<Record<string, Relation>>;
  readonly uniqueKeys: readonly UniqueKey[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks?: readonly ModelCheck[];
}

/** Keeps the literal types of a model, from which `Where`, `OrderBy` and `Selection` are derived. */
export function defineModel<const M extends Model>(model: M): M {
  return model;
}

/** A stored field or a runtime column. */
export interface Column {
  readonly name: string;
  /** Its name in PostgreSQL. */
  readonly column: string;
  /** Its type, if it is not that of the kind. */
  readonly dbType: string | null;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly enum: readonly (string | number)[] | null;
  readonly decimal: DecimalSize | null;
  readonly searchable: boolean;
  /** Whether the database sets it, and no caller can. */
  readonly generated: boolean;
  /** Whether values that the API does not support are NULL in answers, and found by no filter. */
  readonly hidesUnsupported: boolean;
}

export type Columns = ReadonlyMap<string, Column>;

/** In the order of responses: `id`, the declared fields, the timestamps. */
export const columnsOf = weakMemo(
  (model: Model): Columns => new Map(listColumns(model).map((column) => [column.name, column])),
);

function listColumns(model: Model): Column[] {
  return [
    ...runtimeColumn(model, "id", model.id),
    ...Object.entries(model.fields).map(([name, field]) => ({
      name,
      column: field.column ?? name,
      dbType: field.dbType ?? null,
      kind: field.kind,
      nullable: field.nullable === true || field.outOfRange !== undefined,
      enum: field.enum ?? null,
      decimal: field.decimal ?? null,
      searchable: field.searchable ?? false,
      generated: field.generated ?? false,
      hidesUnsupported: field.outOfRange === "null",
    })),
    ...runtimeColumn(model, "created_at", "datetime"),
    ...runtimeColumn(model, "updated_at", "datetime"),
    ...(model.softDelete ? runtimeColumn(model, "deleted_at", "datetime") : []),
  ];
}

function runtimeColumn({ columns }: Model, name: RuntimeColumn, kind: FieldKind): Column[] {
  const stored = columns?.[name];
  if (stored === null) return [];
  const { column = name, dbType = null, generated = false, outOfRange } = stored ?? {};
  const nullable = name === "deleted_at" || stored?.nullable === true || outOfRange !== undefined;
  const plain = { enum: null, decimal: null, searchable: false, hidesUnsupported: outOfRange === "null" };
  return [{ name, column, dbType, kind, nullable, ...plain, generated }];
}

/** Whether rows of a model have an id. */
export function hasId(model: Model): boolean {
  return model.columns?.id !== null;
}

/** Whether a new row is inserted with its id: the caller sends it, or the server makes a UUID. */
export function insertsIds({ id, idSent }: Model): boolean {
  return idSent === true || id === "uuid";
}

const namesWithSqlDefault = weakMemo((model: Model): readonly string[] =>
  Object.keys(model.fields).filter((name) => model.fields[name]?.sqlDefault === true),
);

/** The fields that a record leaves to their defaults in the database. */
export function leftToDatabase(model: Model, record: object): readonly string[] {
  return namesWithSqlDefault(model).filter((name) => !Object.hasOwn(record, name));
}

/** Whether records can leave fields to the database. */
export function hasSqlDefaults(model: Model): boolean {
  return namesWithSqlDefault(model).length > 0;
}

/** Callers choose which fields they send, so there is no limit to the combinations. */
const insertedModels = weakMemo((_model: Model) => new BoundedCache<Model>({ entries: 200 }));

/** The model without the fields that the database fills in for this record. */
export function insertedModel(model: Model, record: object): Model {
  const left = leftToDatabase(model, record);
  if (left.length === 0) return model;
  const known = insertedModels(model);
  const key = left.join();
  return known.get(key) ?? known.add(key, withGenerated(model, left));
}

/** Cache key: equal for models with the same inserted fields. */
export function insertShape(model: Model): string {
  const left = namesWithSqlDefault(model).filter((name) => model.fields[name]?.generated === true);
  return left.length === 0 ? "" : ` without ${left.join()}`;
}

function withGenerated(model: Model, names: readonly string[]): Model {
  const filled = Object.entries(model.fields)
    .filter(([name]) => names.includes(name))
    .map(([name, field]) => [name, { ...field, generated: true as const }]);
  return { ...model, fields: { ...model.fields, ...Object.fromEntries(filled) } };
}

/** A field or runtime column of a model. */
export function requireColumn(model: Model, name: string): Column {
  const column = columnsOf(model).get(name);
  if (column === undefined) throw new Error(`${model.key} has no field ${name}`);
  return column;
}

/** The name of a column in PostgreSQL. */
export function columnName(model: Model, name: string): string {
  return columnsOf(model).get(name)?.column ?? name;
}

export interface PresetField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly preset: Preset;
  readonly required: boolean;
  /** Also in writes to existing rows. */
  readonly onWrite: boolean;
}

/** Whether a write makes a row or changes existing ones. An upsert makes one. */
export type PresetMoment = "create" | "change";

interface Presets {
  readonly fields: readonly PresetField[];
  /** The columns of the caller's row in `users` that presets use. */
  readonly callerColumns: readonly string[];
}

/** The fields that the server sets. */
export const presetsOf = weakMemo((model: Model): Readonly<Record<PresetMoment, Presets>> => {
  const fields = Object.entries(model.fields).flatMap(([name, { kind, preset }]): PresetField[] => {
    if (preset === undefined) return [];
    return [{ name, kind, preset, required: preset.required ?? false, onWrite: preset.on === "write" }];
  });
  return { create: presetsWith(fields), change: presetsWith(fields.filter(({ onWrite }) => onWrite)) };
});

function presetsWith(fields: readonly PresetField[]): Presets {
  const columns = fields.flatMap(({ preset }) => ("user" in preset ? [preset.user] : []));
  return { fields, callerColumns: [...new Set(columns)] };
}

/** Whether a write reads the caller's row in `users` first. */
export function readsCallerRow(model: Model, moment: PresetMoment): boolean {
  return presetsOf(model)[moment].callerColumns.length > 0;
}

/** A JSON Schema of a record. */
export interface RecordSchema {
  readonly required?: readonly string[];
  /**
   * Required fields that a before-hook fills in. Without the list, any field can be missing before the hook.
   */
  readonly filled?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** The JSON Schemas of records in request bodies. Other properties are rejected. */
export interface Validators {
  readonly create: RecordSchema;
  readonly update: RecordSchema;
  readonly upsert: RecordSchema;
}

/** Declares the JSON Schemas of a model. */
export function defineValidators(validators: Validators): Validators {
  return validators;
}
