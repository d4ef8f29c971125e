import type { FieldKind, FieldValues, KindsCompared, ListKind } from "../../vocabulary/fields/field-kinds.ts";
import type { Field, Model } from "./model.ts";

type Values = Omit<FieldValues, "password"> & { password: never };

type ValueOf<F extends Field> = F extends { enum: readonly (infer V)[] }
  ? F["kind"] extends ListKind
    ? V[]
    : V
  : Values[F["kind"]];

/** Runtime columns that the table does not have. */
export type MissingColumns<M extends Model> = M extends { columns: infer Columns }
  ? { [Name in keyof Columns]: Columns[Name] extends null ? Name : never }[keyof Columns]
  : never;

/** The runtime columns of a model's rows. */
type RuntimeColumnsOf<M extends Model> = Exclude<
  "id" | "created_at" | "updated_at" | (M["softDelete"] extends true ? "deleted_at" : never),
  MissingColumns<M>
>;

/** Runtime columns, which `fields` does not list. Mapping over `fields` only is faster to compile. */
type RuntimeNamed<M extends Model, Kind extends FieldKind> =
  | (M["id"] extends Kind ? Extract<RuntimeColumnsOf<M>, "id"> : never)
  | ("datetime" extends Kind ? Exclude<RuntimeColumnsOf<M>, "id"> : never);

/** Columns of these kinds, runtime columns included. */
type Named<M extends Model, Kind extends FieldKind> =
  | ({
      [Name in keyof M["fields"]]: M["fields"][Name]["kind"] extends Kind ? Name : never;
    }[keyof M["fields"]] &
      string)
  | RuntimeNamed<M, Kind>;

type Readable = Exclude<FieldKind, "password">;
type Plain = KindsCompared<"for equality" | "in order" | "as text">;
type Text = KindsCompared<"as text">;
type Comparable = KindsCompared<"in order" | "as text">;

type FieldValue<M extends Model, Name extends string> = Name extends keyof M["fields"]
  ? ValueOf<M["fields"][Name]>
  : Values[Name extends "id" ? M["id"] : "datetime"];

/** Filters of a model, as in REST: `field` for equality or `field__operator`, AND-combined. */
export type Where<M extends Model> = {
  [Name in Named<M, Plain>]?: FieldValue<M, Name> | null;
} & {
  [Name in Named<M, Plain> as `${Name}__ne`]?: FieldValue<M, Name>;
} & {
  [Name in Named<M, Plain> as `${Name}__in` | `${Name}__not_in`]?: readonly FieldValue<M, Name>[];
} & {
  [Name in Named<M, Comparable> as
    | `${Name}__gt`
    | `${Name}__gte`
    | `${Name}__lt`
    | `${Name}__lte`]?: FieldValue<M, Name>;
} & {
  [Name in Named<M, Comparable> as `${Name}__between`]?: readonly [FieldValue<M, Name>, FieldValue<M, Name>];
} & {
  [Name in Named<M, Text> as `${Name}__like` | `${Name}__ilike`]?: string;
} & {
  [Name in Named<M, ListKind>]?: Readonly<FieldValue<M, Name>> | null;
} & {
  [Name in Named<M, ListKind> as `${Name}__contains` | `${Name}__overlaps`]?: Readonly<FieldValue<M, Name>>;
} & {
  [Name in Named<M, Readable> as `${Name}__is_null` | `${Name}__is_not_null`]?: true;
};

/** Names of the fields for `order_by`. */
export type OrderBy<M extends Model> = Named<M, Plain>;

/** Names for `select_fields`. */
export type Selection<M extends Model> = readonly Named<M, Readable>[];

/** The types of one model, as its generated `model.ts` declares them. */
export interface ModelTypes {
  readonly row: object;
  /** Without the required fields that hooks and the server fill in. */
  readonly create: object;
  readonly update: object;
  readonly upsert: object;
  readonly where: object;
  readonly order: string;
  readonly selection: readonly string[];
}

/** The types of a model that is known only at run time. */
export interface AnyTypes extends ModelTypes {
  readonly row: Record<string, unknown>;
  readonly create: Record<string, unknown>;
  readonly update: Record<string, unknown>;
  readonly upsert: Record<string, unknown>;
  readonly where: Record<string, unknown>;
}
