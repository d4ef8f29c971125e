import type { DecimalSize } from "../../vocabulary/fields/exact-numbers.ts";
import type { FieldKind } from "../../vocabulary/fields/field-kinds.ts";
import type { Preset } from "../../vocabulary/fields/presets.ts";
import type { Json } from "../../vocabulary/json.ts";

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

/** What the runtime knows of a model: names, kinds and keys, no code (contract: "Model definition"). */
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
